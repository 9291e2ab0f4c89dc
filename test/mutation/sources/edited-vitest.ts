import { join } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';
import { BaseSequencer, createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node';
import { OWN_SOURCES } from '../../support/own-sources.ts';
import configured from '../../vitest.config.ts';
import type { Pass } from './edited-runs.ts';
import { LIMITED, LimitedProcess } from './limited-process.ts';
import { switched } from './switched.ts';
import { Tries } from './tries.ts';
import { type EditedFile, root } from './watched.ts';

class AsGiven extends BaseSequencer {
  override sort = async (files: TestSpecification[]): Promise<TestSpecification[]> => files;
}

/** A vitest that loads files with all their edits in them, in one process. */
export interface EditedVitest {
  /** Runs these test files once. Where an edit ends the process, those after it have not run. */
  readonly passOver: (tests: readonly string[], pass: Pass) => Promise<Passed>;
  readonly close: () => Promise<void>;
}

export interface Passed {
  readonly modules: readonly TestModule[];
  readonly tries: Tries;
}

export async function editedVitest(files: readonly EditedFile[]): Promise<EditedVitest> {
  let tries = new Tries();
  const vitest = await vitestWith(files, () => tries);
  return {
    passOver: async (tests, pass) => {
      tries = new Tries();
      vitest.provide('pass', pass);
      const specifications = tests.map((test) => vitest.getRootProject().createSpecification(test));
      const { testModules } = await vitest.runTestSpecifications(specifications);
      return { modules: testModules, tries };
    },
    close: () => vitest.close(),
  };
}

async function vitestWith(files: readonly EditedFile[], tries: () => Tries): Promise<Vitest> {
  const { test = {} } = await configured({ mode: 'mutate', command: 'serve' });
  const { projects: _projects, ...withoutProjects } = test;
  const byPath = new Map(files.map((file) => [file.path, file]));
  const edits = {
    name: 'edits',
    enforce: 'pre' as const,
    transform: (code: string, id: string) => {
      const file = byPath.get(id);
      return file ? { code: switched(code, file.edits), map: null } : undefined;
    },
  };
  const overrides: ViteUserConfig = {
    plugins: [edits],
    resolve: { alias: { ...OWN_SOURCES } },
    test: {
      ...withoutProjects,
      include: ['test/**/*.test.ts'],
      pool: { name: LIMITED, createPoolWorker: (options) => new LimitedProcess(options, tries()) },
      isolate: false,
      // The limit of a test that was cut off would end a later try of it. They have limits of their own.
      testTimeout: 0,
      // The sources that Node itself reads have no edits in them.
      experimental: { viteModuleRunner: true },
      // What is kept on disk has other edits in it, or none.
      fsModuleCache: false,
      maxWorkers: 1,
      runner: join(import.meta.dirname, 'edited-runs.ts'),
      update: 'none',
      sequence: { sequencer: AsGiven },
      reporters: [{}],
    },
  };
  return createVitest(
    { config: false, root, watch: false, silent: true, reporters: [{}], dangerouslyIgnoreUnhandledErrors: true },
    overrides,
  );
}
