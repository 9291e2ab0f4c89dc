import { join } from 'node:path';
import { defineConfig } from 'vitest/config';

const report = process.env['TEST_REPORT'];

export default defineConfig({
  test: {
    root: join(import.meta.dirname, '..'),
    include: ['test/**/*.test.ts'],
    // Tests kill processes and change folders: each file gets a process of its own, under the Node that runs this.
    pool: 'forks',
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 30_000,
    teardownTimeout: 10_000,
    reporters: report === undefined ? ['default'] : ['default', ['json', { outputFile: report }]],
  },
});
