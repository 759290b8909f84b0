// The layer check must see a broken rule, or it would say nothing about the tree that it passes.
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { brokenRules } from '../../scripts/check-layers.mjs';

let engine: string;
beforeEach(() => {
  engine = mkdtempSync(join(tmpdir(), 'layers-'));
});
afterEach(() => rmSync(engine, { recursive: true }));

function rulesBrokenBy(layers: string, files: Record<string, string>): string[] {
  for (const [path, text] of Object.entries({ 'layers.txt': layers, ...files })) {
    mkdirSync(dirname(join(engine, path)), { recursive: true });
    writeFileSync(join(engine, path), text);
  }
  return brokenRules(engine);
}

describe('brokenRules', () => {
  const layers = '# lowest first\nbase\njson\nplan scale\n';

  test.each([
    ['a lower layer', { 'json/a.h': '#include "engine/base/b.h"\n#include <vector>\n' }],
    ['the layer itself', { 'json/a.cpp': '#include "engine/json/a.h"\n' }],
  ])('allows %s', (_, files) => {
    expect(rulesBrokenBy(layers, files)).toEqual([]);
  });

  test.each([
    ['a higher layer', 'base/a.h', '#include "engine/json/b.h"', 'json is not below base'],
    ['a sibling', 'plan/a.h', '#include "engine/scale/b.h"', 'scale is not below plan'],
    ['an indented include', 'base/a.h', '  #  include "engine/json/b.h"', 'json is not below base'],
    [
      'an unknown layer',
      'plan/a.h',
      '#include "engine/magic/b.h"',
      'magic is not in engine/layers.txt',
    ],
    [
      'a path that does not start at the root',
      'plan/a.h',
      '#include "b.h"',
      "from the repository's root",
    ],
    ['a folder that is no layer', 'magic/a.h', '', 'engine/magic is not in'],
  ])('refuses %s', (_, file, text, problem) => {
    expect(rulesBrokenBy(layers, { 'base/ok.h': '', [file]: `${text}\n` })).toEqual([
      expect.stringContaining(problem),
    ]);
  });

  const struct = (name: string) =>
    `namespace roofbeam {\n\nstruct ${name} {\n};\n\n}  // namespace roofbeam\n`;
  const hidden = struct('A')
    .replace('\n\n', '\nnamespace {\n\n')
    .replace('};\n', '};\n\n}  // namespace\n');

  test('refuses two types of one name', () => {
    expect(rulesBrokenBy(layers, { 'plan/a.h': struct('A'), 'scale/a.h': struct('A') })).toEqual([
      'engine/scale/a.h defines roofbeam::A, as engine/plan/a.h does',
    ]);
  });

  test.each([
    ['in an unnamed namespace', hidden],
    ['that is only declared', 'namespace roofbeam {\n\nstruct A;\n\n}  // namespace roofbeam\n'],
    ['of another namespace', struct('A').replaceAll('roofbeam', 'roofbeam::json')],
  ])('allows a second type %s', (_, text) => {
    expect(rulesBrokenBy(layers, { 'plan/a.h': struct('A'), 'scale/b.cpp': text })).toEqual([]);
  });

  test('allows a sibling to the left with a reason, and only while it is needed', () => {
    const excepted = `${layers}scale -> plan: ladders are planned\n`;
    expect(rulesBrokenBy(excepted, { 'scale/a.h': '#include "engine/plan/b.h"\n' })).toEqual([]);
    expect(rulesBrokenBy(excepted, { 'scale/a.h': '' })).toEqual([
      expect.stringContaining('no longer needed'),
    ]);
  });

  test.each([
    ['without a reason', 'scale -> plan', 'gives no reason'],
    ['to the right', 'plan -> scale: why', 'only a sibling named earlier'],
    ['to a higher layer', 'base -> json: why', 'only a sibling named earlier'],
  ])('refuses an exception %s', (_, line, problem) => {
    expect(rulesBrokenBy(`${layers}${line}\n`, { 'base/a.h': '' })).toEqual([
      expect.stringContaining(problem),
    ]);
  });

  test('refuses an engine without sources', () => {
    expect(rulesBrokenBy(layers, {})).toEqual([expect.stringContaining('no source file')]);
  });
});
