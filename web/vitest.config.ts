import { defineConfig } from 'vitest/config';

export default defineConfig({
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  test: {
    include: ['../tests/web/**/*.test.{ts,tsx}'],
    environment: 'node',
    restoreMocks: true,
  },
});
