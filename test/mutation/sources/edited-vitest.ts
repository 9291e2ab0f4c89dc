import { join } from 'node:path';
import type { ViteUserConfig } from 'vitest/config';
import { BaseSequencer, createVitest, type TestModule, type TestSpecification, type Vitest } from 'vitest/node';
import configured from '../../vitest.config.ts';
import type { Pass } from './edited-runs.ts';
import { switched } from './switched.ts';
import { type EditedFile, root } from './watched.ts';

class AsGiven extends BaseSequencer {
  override sort = async (files: TestSpecification[]): Promise<TestSpecification[]> => files;
}

/** A vitest that loads these files with all their edits in them, in one thread. */
export async function editedVitest(files: readonly EditedFile[]): Promise<Vitest> {
  const { resolve, test = {} } = await configured({ mode: 'mutate', command: 'serve' });
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
    ...(resolve ? { resolve } : {}),
    test: {
      ...withoutProjects,
      include: ['test/**/*.test.ts'],
      pool: 'threads',
      isolate: false,
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

/** Runs these test files once. */
export async function passOver(vitest: Vitest, tests: readonly string[], pass: Pass): Promise<readonly TestModule[]> {
  vitest.provide('pass', pass);
  const specifications = tests.map((test) => vitest.getRootProject().createSpecification(test));
  const { testModules } = await vitest.runTestSpecifications(specifications);
  return testModules;
}
