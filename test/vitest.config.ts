import { join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { tierReporter } from './support/tier-reporter.ts';
import { tierOf } from './support/tier.ts';

const MINUTE_MS = 60_000;
const root = join(import.meta.dirname, '..');

/** `--mode full` takes the whole of every exhaustive set, whatever the environment says. */
export default defineConfig(({ mode }) => {
  const report = process.env['TEST_REPORT'];
  const isFull = mode === 'full';
  const tier = tierOf(isFull ? { ...process.env, TEST_TENTH: 'all' } : process.env, root);
  const says = ['default', tierReporter(tier)];
  // A limit is a net for what hangs, and measures nothing: a machine that is three times slower, and busy, stays within.
  const limitMs = (tier.tenth === null ? 60 : 5) * MINUTE_MS;
  return {
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
      globalSetup: join(import.meta.dirname, 'support/bundle-setup.ts'),
      env: { TEST_SEED: String(tier.seed), TEST_TENTH: String(tier.tenth ?? 'all'), XDG_CONFIG_HOME: '' },
      // Tests kill processes and change folders: each file gets a process of its own, under the Node that runs this.
      pool: 'forks',
      maxWorkers: 2,
      testTimeout: limitMs,
      hookTimeout: limitMs,
      teardownTimeout: MINUTE_MS,
      expect: { poll: { timeout: 2 * MINUTE_MS } },
      reporters: report === undefined ? says : [...says, ['json', { outputFile: report }]],
    },
  };
});
