// What JavaScript makes of doubles, for number_text_test.cpp: node javascript_numbers.mjs > javascript_numbers.tsv
// Columns: the double's bits in hexadecimal, String(x), decimals, x.toFixed(decimals), Math.round(x).

const view = new DataView(new ArrayBuffer(8));
const bitsOf = (x) => (view.setFloat64(0, x), view.getBigUint64(0).toString(16).padStart(16, '0'));
const fromBits = (bits) => (view.setBigUint64(0, bits), view.getFloat64(0));

// xorshift64*, seeded: the same rows each time.
let state = 0x9e3779b97f4a7c15n;
function random64() {
  state ^= state >> 12n;
  state = BigInt.asUintN(64, state ^ (state << 25n));
  state ^= state >> 27n;
  return BigInt.asUintN(64, state * 0x2545f4914f6cdd1dn);
}
const below = (n) => Number(random64() % BigInt(n));

const chosen = [
  0, -0, 1, -1, 0.1, 0.2, 0.3, 1 / 3, 2 / 3, 0.5, 1.5, 2.5, -0.5, -1.5, -2.5, 0.125, 0.375, 1.005, 8.345, 10.235,
  9.995, 99.995, 0.05, 0.005, 0.0005, 999.9999999, 1e-6, 1e-7, 1.5e-7, 123e-20, 1e20, 1e21, 123456789012345680000,
  1.2345678901234567e21, 2 ** 53, 2 ** 53 + 2, 2 ** 63, 2 ** 64, 2 ** 70, 2 ** -44, 2 ** -1022, 2 ** 1023, 5e-324,
  Number.MAX_VALUE, -Number.MAX_VALUE, 2.2250738585072014e-308, 2.225073858507201e-308, 4.35, 4.45, 0.45, 1.45,
  0.49999999999999994, 4503599627370495.5, 4503599627370497, -0.49999999999999994, 1e23, 9.5, 99.5, 999.5, -9.5, 9e15,
  989.5e12, 3.29e24, 8030261248, 140.73748835532, 123456.789,
];
// Powers of two lie unevenly between their neighbours: where printing goes wrong first.
const powers = Array.from({ length: 60 }, () => 2 ** (below(2098) - 1074));
const anyBits = Array.from({ length: 300 }, () => fromBits(random64())).filter(Number.isFinite);
const halves = Array.from({ length: 80 }, () => (below(2 ** 31) + 0.5) / 2 ** below(12) - 2 ** 18);
const decimals = Array.from({ length: 80 }, () => Number(`${below(1e6)}.${below(1e5)}5`));
const integers = Array.from({ length: 40 }, () => Number(random64() >> BigInt(below(60))));

for (const x of [...chosen, ...powers, ...anyBits, ...halves, ...decimals, ...integers]) {
  const places = chosen.includes(x) ? [0, 1, 2, 3, 20] : [below(13)];
  for (const digits of places) console.log([bitsOf(x), x, digits, x.toFixed(digits), Math.round(x)].join('\t'));
}
