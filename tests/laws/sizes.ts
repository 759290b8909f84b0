// Sizes of tensors' axes as sums of products of numbers and the run-time lengths B, T and S. Written
// for the tests alone: nothing of the engine's algebra is used.

/** Coefficients by their sorted lengths: `2*B*T + 3` is { "BT": 2, "": 3 }. */
export type Size = ReadonlyMap<string, number>;
export type Shape = readonly Size[];
/** Sizes, and '...' for any axes before or after; or '*' for any shape at all. */
export type Pattern = '*' | readonly (Size | '...')[];

function collected(terms: Iterable<readonly [string, number]>): Size {
  const sum = new Map<string, number>();
  for (const [lengths, coefficient] of terms)
    sum.set(lengths, (sum.get(lengths) ?? 0) + coefficient);
  for (const [lengths, coefficient] of sum) if (coefficient === 0) sum.delete(lengths);
  return sum;
}

export const plus = (a: Size, b: Size): Size => collected([...a, ...b]);

export const times = (a: Size, b: Size): Size =>
  collected(
    [...a].flatMap(([x, m]) =>
      [...b].map(([y, n]) => [[...(x + y)].sort().join(''), m * n] as const),
    ),
  );

/** `2*16`, `T+3`, `T`: sums of products. */
export function size(text: string | number): Size {
  const factor = (word: string): Size =>
    /^[BTS]$/.test(word) ? new Map([[word, 1]]) : collected([['', Number(word)]]);
  return String(text)
    .split('+')
    .map((term) => term.split('*').map(factor).reduce(times))
    .reduce(plus);
}

export function pattern(text: string): Pattern {
  if (text === '*') return '*';
  return (text.match(/\([^()]*\)|\S+/g) ?? []).map((atom) =>
    atom === '...'
      ? '...'
      : atom.startsWith('(')
        ? atom.slice(1, -1).trim().split(/\s+/).map(size).reduce(times)
        : size(atom),
  );
}

export const equal = (a: Size, b: Size): boolean =>
  a.size === b.size && [...a].every(([lengths, coefficient]) => b.get(lengths) === coefficient);

export const mentions = (shape: Shape, length: string): boolean =>
  shape.some((axis) => [...axis.keys()].some((lengths) => lengths.includes(length)));

/** T read as S, as patterns are in blocks of the source's stream. */
export const onSource = (axis: Size): Size =>
  collected(
    [...axis].map(([lengths, coefficient]) => [
      [...lengths.replaceAll('T', 'S')].sort().join(''),
      coefficient,
    ]),
  );

/** The value with every run-time length at 1. */
export const coefficients = (axis: Size): number => [...axis.values()].reduce((a, b) => a + b, 0);

export const power = (axis: Size, length: string): number =>
  Math.max(0, ...[...axis.keys()].map((lengths) => lengths.split(length).length - 1));
