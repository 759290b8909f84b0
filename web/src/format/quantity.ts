// Numbers become text here and nowhere else. Memory is read in powers of 1024, because capacities are
// built and sold that way; counts, rates and FLOPs in powers of 1000, because vendors' peaks and
// papers' parameter counts are. Three significant digits everywhere, trailing zeros kept so that
// columns align, except where a shorter text is exact ("80 GiB", not "80.0 GiB").

export interface Quantity {
  readonly number: string; // "169"
  readonly unit: string; // "GiB"; may be empty
  readonly exact: string; // "181,126,889,472 bytes"
  readonly value: number | undefined;
}

export function text({ number, unit }: Quantity): string {
  return unit === '' ? number : `${number} ${unit}`;
}

// What stands where the engine answered null: the figure does not exist for this design.
const kMissing: Quantity = { number: '–', unit: '', exact: 'not available', value: undefined };

const kSignificantDigits = 3;

const kBinaryUnits = ['B', 'KiB', 'MiB', 'GiB', 'TiB', 'PiB', 'EiB'] as const;
const kCountUnits = ['', 'K', 'M', 'B', 'T', 'Qa', 'Qi'] as const;
const kSiPrefixes = ['', 'k', 'M', 'G', 'T', 'P', 'E', 'Z', 'Y', 'R', 'Q'] as const;
const kSmallPrefixes = ['', 'm', 'µ', 'n', 'p'] as const;

const kGrouped = new Intl.NumberFormat('en-US', { maximumFractionDigits: 20 });

type Given = number | null | undefined;

// Three significant digits, without an exponent for anything a scaled number can be. A whole number of
// at most three digits is exact and stands as it is.
function digits(value: number): string {
  const magnitude = Math.abs(value);
  if (Number.isInteger(value) && magnitude < 1000) return String(value);
  return magnitude >= 100 ? value.toFixed(0) : value.toPrecision(kSignificantDigits);
}

// Divides by the base until what is printed is below it: 999.6 thousand reads "1.00 M", never "1000 K".
function scale(
  value: number,
  base: number,
  steps: number,
): { readonly scaled: number; readonly step: number } {
  let scaled = value;
  let step = 0;
  while (step < steps && Math.abs(Number(digits(scaled))) >= base) {
    scaled /= base;
    step += 1;
  }
  return { scaled, step };
}

function isMissing(value: Given): value is null | undefined {
  return value === null || value === undefined || !Number.isFinite(value);
}

function exactly(value: number, unit: string): string {
  return unit === '' ? kGrouped.format(value) : `${kGrouped.format(value)} ${unit}`;
}

export function bytes(value: Given): Quantity {
  if (isMissing(value)) return kMissing;
  const { scaled, step } = scale(value, 1024, kBinaryUnits.length - 1);
  return {
    number: digits(scaled),
    unit: kBinaryUnits[step] ?? '',
    exact: exactly(value, 'bytes'),
    value,
  };
}

// Parameters and tokens: K, M, B, T as papers write them.
export function count(value: Given, unit = ''): Quantity {
  if (isMissing(value)) return kMissing;
  const { scaled, step } = scale(value, 1000, kCountUnits.length - 1);
  return {
    number: digits(scaled),
    unit: kCountUnits[step] ?? '',
    exact: exactly(value, unit),
    value,
  };
}

// Whole numbers that a person sets or reads one by one (lengths, batches): every digit.
export function whole(value: Given, unit = ''): Quantity {
  if (isMissing(value)) return kMissing;
  return { number: kGrouped.format(value), unit: '', exact: exactly(value, unit), value };
}

function prefixed(value: Given, unit: string, exactUnit: string): Quantity {
  if (isMissing(value)) return kMissing;
  const { scaled, step } = scale(value, 1000, kSiPrefixes.length - 1);
  return {
    number: digits(scaled),
    unit: `${kSiPrefixes[step] ?? ''}${unit}`,
    exact: exactly(value, exactUnit),
    value,
  };
}

export function flops(value: Given): Quantity {
  return prefixed(value, 'FLOP', 'FLOP');
}

export function flopsPerSecond(value: Given): Quantity {
  return prefixed(value, 'FLOP/s', 'FLOP per second');
}

// Bandwidths are quoted in powers of 1000.
export function bytesPerSecond(value: Given): Quantity {
  return prefixed(value, 'B/s', 'bytes per second');
}

const kSecondsPerMinute = 60;
const kSecondsPerHour = 3600;
const kSecondsPerDay = 86400;
const kSecondsPerYear = 365.25 * kSecondsPerDay;

// Below a minute with SI prefixes, above it in the largest unit of clock or calendar that is not less
// than one (days from the second day on: "36 h" says more than "1.50 days").
export function seconds(value: Given): Quantity {
  if (isMissing(value)) return kMissing;
  const exact = exactly(value, 'seconds');
  if (value >= kSecondsPerYear)
    return { number: digits(value / kSecondsPerYear), unit: 'years', exact, value };
  if (value >= 2 * kSecondsPerDay)
    return { number: digits(value / kSecondsPerDay), unit: 'days', exact, value };
  if (value >= kSecondsPerHour)
    return { number: digits(value / kSecondsPerHour), unit: 'h', exact, value };
  if (value >= kSecondsPerMinute)
    return { number: digits(value / kSecondsPerMinute), unit: 'min', exact, value };
  let scaled = value;
  let step = 0;
  while (step < kSmallPrefixes.length - 1 && scaled !== 0 && Number(digits(scaled)) < 1) {
    scaled *= 1000;
    step += 1;
  }
  return { number: digits(scaled), unit: `${kSmallPrefixes[step] ?? ''}s`, exact, value };
}

export function hours(value: Given): Quantity {
  if (isMissing(value)) return kMissing;
  return { ...seconds(value * kSecondsPerHour), exact: exactly(value, 'hours'), value };
}

export function dollars(value: Given): Quantity {
  if (isMissing(value)) return kMissing;
  const { scaled, step } = scale(value, 1000, kCountUnits.length - 1);
  const cents = step === 0 && !Number.isInteger(scaled);
  return {
    number: `$${cents ? scaled.toFixed(2) : digits(scaled)}`,
    unit: kCountUnits[step] ?? '',
    exact: `$${kGrouped.format(value)}`,
    value,
  };
}

// A share between 0 and 1.
export function percent(value: Given): Quantity {
  if (isMissing(value)) return kMissing;
  return { number: digits(value * 100), unit: '%', exact: kGrouped.format(value), value };
}

// A plain ratio: "1", "99.9", "1.87 K".
export function ratio(value: Given): Quantity {
  return count(value);
}

// A factor against something else: "0.98 ×".
export function times(value: Given): Quantity {
  const quantity = count(value);
  return quantity.value === undefined ? quantity : { ...quantity, unit: `${quantity.unit}×` };
}

// A difference: a gain carries its sign, as a loss does.
export function signed(quantity: Quantity): Quantity {
  const gain = (quantity.value ?? 0) > 0;
  return gain
    ? { ...quantity, number: `+${quantity.number}`, exact: `+${quantity.exact}` }
    : quantity;
}

// A figure without a unit that is read for its decimals, such as a loss.
export function plain(value: Given): Quantity {
  if (isMissing(value)) return kMissing;
  return {
    number: value.toPrecision(kSignificantDigits),
    unit: '',
    exact: kGrouped.format(value),
    value,
  };
}
