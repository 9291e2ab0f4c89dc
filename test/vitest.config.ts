import { globSync, readFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { defineConfig } from 'vitest/config';
import { absent } from './support/absent.ts';
import { LongestFirst } from './support/longest-first.ts';
import { tierReporter } from './support/tier-reporter.ts';
import { tierOf } from './support/tier.ts';
import { filesAtRest } from './support/turns.ts';

const MINUTE_MS = 60_000;
const root = join(import.meta.dirname, '..');

const ALL = ['test/**/*.test.ts', 'docs/examples/**/*.test.ts'];
/**
 * Tests make gigabytes that are soon gone: with room for them, V8 collects and moves less. What stays, of hundreds of
 * modules, is not marked again and again.
 */
const ROOMY_HEAP = ['--min-semi-space-size=32', '--initial-heap-size=1024'];
/** Files that replace a module: no other file may have loaded it before. */
const MOCKING = globSync(ALL, { cwd: root }).filter((file) =>
  readFileSync(join(root, file), 'utf8').includes('vi.mock('),
);

/** The parts of paths that were asked for: what is not one fits no path. */
const wordsAsked = (words: readonly string[]) => words.slice(2).filter((word) => word !== 'run');

/** `--mode full` takes the whole of every exhaustive set, whatever the environment says. */
export default defineConfig(({ mode }) => {
  const report = process.env['TEST_REPORT'];
  const isFull = mode === 'full';
  const tier = tierOf(isFull ? { ...process.env, TEST_TENTH: 'all' } : process.env);
  const resting = filesAtRest(tier, wordsAsked(process.argv));
  const says = ['default', tierReporter(tier)];
  // A limit is a net for what hangs, and measures nothing: a machine that is three times slower, and busy, stays
  // within.
  const limitMs = (tier.tenth === null ? 60 : 5) * MINUTE_MS;
  return {
    test: {
      root,
      env: {
        TEST_SEED: String(tier.seed),
        TEST_TENTH: tier.isFixed ? '' : String(tier.tenth ?? 'all'),
        HOME: absent(),
        // Checks that call `node` get the one that runs this, also behind walls: older ones start in twice the time.
        PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
        XDG_CONFIG_HOME: '',
      },
      globalSetup: join(root, 'test/support/scratch-setup.ts'),
      setupFiles: ['own-package-setup.ts', 'own-state-folder.ts'].map((file) => join(root, 'test/support', file)),
      // Two for each core: a third of the time, a test waits for a process or a clock. With three on two cores, a core
      // has nothing to do for an eighth of the time; with four, for a twenty-fifth.
      maxWorkers: 4,
      sequence: { sequencer: LongestFirst },
      // Node reads the sources itself, as where they run: no module is transformed, and none is called through an
      // object that stands for it.
      experimental: { viteModuleRunner: false },
      testTimeout: limitMs,
      hookTimeout: limitMs,
      teardownTimeout: MINUTE_MS,
      expect: { poll: { timeout: 2 * MINUTE_MS } },
      restoreMocks: true,
      unstubEnvs: true,
      unstubGlobals: true,
      reporters: report === undefined ? says : [...says, ['json', { outputFile: report }]],
      projects: [
        {
          extends: true,
          test: {
            // Tests start and stop processes, and set variables: they run in processes, which share what they have
            // loaded.
            name: 'processes',
            include: ALL,
            exclude: [...MOCKING, ...resting],
            pool: 'forks',
            execArgv: ROOMY_HEAP,
            isolate: false,
            experimental: { nodeLoader: false },
            globalSetup: join(import.meta.dirname, 'support/bundle-setup.ts'),
          },
        },
        { extends: true, test: { name: 'mocking', include: MOCKING, exclude: [...resting], pool: 'forks' } },
      ],
    },
  };
});
