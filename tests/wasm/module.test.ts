// What happens when an instance dies, with modules that die on purpose.
import { expect, test } from 'vitest';
import { EngineCrash } from '../../dist/errors.js';
import { type ModuleFactory, instantiate } from '../../dist/module.js';

// The smallest module there is: the magic number and the version.
const empty = await WebAssembly.compile(Uint8Array.of(0, 0x61, 0x73, 0x6d, 1, 0, 0, 0));

const factory: ModuleFactory<{ die(): never; live(): string }> = async ({
  instantiateWasm,
  printErr,
}) => {
  await new Promise((resolve) => instantiateWasm({}, resolve));
  return {
    die() {
      printErr('check failed');
      throw new WebAssembly.RuntimeError('unreachable');
    },
    live: () => 'alive',
  };
};

test('a crash carries what the engine printed, and is for ever', async () => {
  const { exports, guard } = await instantiate(factory, empty);
  expect(guard(() => exports.live())).toBe('alive');
  expect(() => guard(() => exports.die())).toThrow(EngineCrash);
  expect(() => guard(() => exports.live())).toThrow(/check failed\nunreachable/);
});

test('a module that does not fit its imports rejects', async () => {
  // (import "m" "f" (func))
  const needy = await WebAssembly.compile(
    Uint8Array.of(
      0,
      0x61,
      0x73,
      0x6d,
      1,
      0,
      0,
      0,
      1,
      4,
      1,
      0x60,
      0,
      0,
      2,
      7,
      1,
      1,
      0x6d,
      1,
      0x66,
      0,
      0,
    ),
  );
  await expect(instantiate(factory, needy)).rejects.toThrow();
});
