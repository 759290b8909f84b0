import { defineConfig } from 'vitest/config';

export default defineConfig({
  // Tests with a document are served, and they stand beside this folder, not in it.
  server: { fs: { allow: ['..'] } },
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['../tests/web/**/*.test.{ts,tsx}'],
    environment: 'node',
    restoreMocks: true,
    testTimeout: 60_000, // a machine that compiles at the same time is slow, not wrong
  },
});
