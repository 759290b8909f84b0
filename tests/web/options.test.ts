import { describe, expect, test } from 'vitest';
import {
  kOptionFields,
  kOptionIds,
  optionAt,
  requestOptions,
  resolvedOption,
  setOption,
  typedNumber,
} from '../../web/src/state/options';

test('every option has one row', () => {
  expect(kOptionFields.map(({ id }) => id).toSorted()).toEqual([...kOptionIds].toSorted());
});

test('a request nests what the engine nests', () => {
  expect(
    requestOptions({
      T: 4096,
      tp: 8,
      dp: 4,
      sequence_parallel: true,
      packing_mean: 512,
      dtype: 'fp8',
    }),
  ).toEqual({
    T: 4096,
    dtype: 'fp8',
    parallel: { dp: 4, tp: 8, sequence_parallel: true },
    packing: { mean: 512 },
  });
});

test('an untouched point asks for nothing', () => {
  expect(requestOptions({})).toEqual({});
});

test('clearing an option removes it', () => {
  expect(setOption({ T: 1, B: 2 }, 'T', undefined)).toEqual({ B: 2 });
});

describe('a pointer of a diagnostic finds its control', () => {
  test.each(kOptionFields.map(({ id, path }) => [`/options/${path.join('/')}`, id]))(
    '%s',
    (pointer, id) => {
      expect(optionAt(pointer)).toBe(id);
    },
  );

  test.each([
    '',
    '/options',
    '/options/parallel',
    '/options/speed',
    '/config/T',
    '/design/options/T',
  ])('%j is no control', (pointer) => {
    expect(optionAt(pointer)).toBeUndefined();
  });
});

test('the resolved value of a nested option is found', () => {
  const [tp] = kOptionFields.filter(({ id }) => id === 'tp');
  expect(tp && resolvedOption({ T: 1, parallel: { tp: 8 } }, tp)).toBe(8);
  expect(tp && resolvedOption({ T: 1, parallel: null }, tp)).toBeUndefined();
});

describe('typed numbers', () => {
  test.each([
    ['', undefined],
    ['  ', undefined],
    ['8192', 8192],
    [' 8,192 ', 8192],
    ['8_192', 8192],
    ['15e12', 15e12],
    ['-5', -5],
    ['0.45', 0.45],
    ['.5', 0.5],
    ['1e999', '1e999'], // not finite: the engine says what is wrong with it
    ['eight', 'eight'],
    ['8k', '8k'],
    ['0x10', '0x10'],
    [',5', ',5'],
  ])('%j -> %j', (typed, value) => {
    expect(typedNumber(typed)).toBe(value);
  });
});
