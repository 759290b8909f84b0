import { describe, expect, test } from 'vitest';
import * as format from '../../web/src/format/quantity';

const { text } = format;

const kGiB = 1024 ** 3;

describe('memory, powers of 1024', () => {
  test.each([
    [0, '0 B'],
    [1, '1 B'],
    [1023, '1023 B'],
    [1024, '1 KiB'],
    [131_072, '128 KiB'],
    [kGiB - 1, '1.00 GiB'], // 1023.999 MiB would print as 1024 MiB
    [1023 * 1024 ** 2, '1023 MiB'],
    [80 * kGiB, '80 GiB'],
    [15 * kGiB - 1, '15.0 GiB'],
    [181_126_889_472, '169 GiB'],
    [7_181_708_820_480, '6.53 TiB'],
    [2 ** 80, '1048576 EiB'],
  ])('%d bytes -> %s', (value, expected) => {
    expect(text(format.bytes(value))).toBe(expected);
  });

  test('the exact value has every digit', () => {
    expect(format.bytes(181_126_889_472).exact).toBe('181,126,889,472 bytes');
  });
});

describe('counts, powers of 1000', () => {
  test.each([
    [0, '0'],
    [999, '999'],
    [999.6, '1.00 K'], // would print as 1000
    [1000, '1 K'],
    [8_030_261_248, '8.03 B'],
    [99_999_999, '100 M'],
    [999_500, '1.00 M'],
    [671_026_419_200, '671 B'],
    [15e12, '15 T'],
    [0.000123456, '0.000123'],
    [-2500, '-2.50 K'],
  ])('%d -> %s', (value, expected) => {
    expect(text(format.count(value))).toBe(expected);
  });

  test('the exact value names what is counted', () => {
    expect(format.count(8_030_261_248, 'parameters').exact).toBe('8,030,261,248 parameters');
  });
});

describe('work, rates and time', () => {
  test.each([
    [format.flops(17_156_800_512), '17.2 GFLOP'],
    [format.flops(7.725629727305462e21), '7.73 ZFLOP'],
    [format.flopsPerSecond(989e12), '989 TFLOP/s'],
    [format.bytesPerSecond(3350e9), '3.35 TB/s'],
    [format.seconds(0), '0 s'],
    [format.seconds(3.25e-9), '3.25 ns'],
    [format.seconds(0.005114705767164179), '5.11 ms'],
    [format.seconds(0.9996), '1.00 s'], // not 1000 ms
    [format.seconds(59.9), '59.9 s'],
    [format.seconds(90), '1.50 min'],
    [format.seconds(36 * 3600), '36 h'],
    [format.hours(5424.692258809026), '226 days'],
    [format.hours(24 * 3652.5), '10 years'],
    [format.dollars(0.4), '$0.40'],
    [format.dollars(13561.730647022563), '$13.6 K'],
    [format.percent(0.12516807236279184), '12.5 %'],
    [format.times(99.93438079374236), '99.9 ×'],
    [format.plain(2.173263101019), '2.17'],
    [format.whole(8192), '8,192'],
    [format.signed(format.bytes(1536)), '+1.50 KiB'],
    [format.signed(format.bytes(-1536)), '-1.50 KiB'],
    [format.signed(format.count(null)), '–'],
  ])('%o', (quantity, expected) => {
    expect(text(quantity)).toBe(expected);
  });
});

test.each(Object.entries(format).filter(([name]) => name !== 'text' && name !== 'signed'))(
  '%s says so when the engine has no finite number',
  (_name, make) => {
    const quantity = (make as (value: number | null) => format.Quantity)(null);
    expect(quantity).toEqual({ number: '–', unit: '', exact: 'not available', value: undefined });
  },
);

test('what is printed never has more than four digits before its unit, over thirty orders of magnitude', () => {
  for (let exponent = 0; exponent < 33; exponent += 0.01) {
    for (const { number } of [
      format.bytes(10 ** Math.min(exponent, 18)),
      format.flops(10 ** exponent),
    ]) {
      expect(number.replace('.', '').replace(/^0+/, '').length, number).toBeLessThanOrEqual(4);
    }
  }
});
