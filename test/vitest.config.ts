import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const report = process.env['TEST_REPORT'];

const root = join(import.meta.dirname, '..');

export default defineConfig({
  resolve: {
    // Examples say what a user would say.
    alias: {
      'loopfold/machines': join(root, 'machines/public.ts'),
      'loopfold/testing': join(root, 'src/testing/index.ts'),
    },
  },
  test: {
    root,
    include: ['test/**/*.test.ts', 'docs/examples/**/*.test.ts'],
    // Tests kill processes and change folders: each file gets a process of its own, under the Node that runs this.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
