import { defineConfig } from 'vitest/config';

// The tests of the package, of the command line and of the scripts; the site has its own in web/.
export default defineConfig({
  test: {
    include: ['tests/{wasm,cli,package,schema,scripts,laws}/**/*.test.ts'],
    testTimeout: 60_000,
  },
});
