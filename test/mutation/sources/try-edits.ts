import type { TestModule, Vitest } from 'vitest/node';
import type { EditKind } from './edits.ts';
import { editedVitest, passOver } from './edited-vitest.ts';
import { isCutOff } from './cut-off.ts';
import type { Asked } from './edited-runs.ts';
import { type EditedFile, type Folder, testsNear } from './watched.ts';

/** A test that takes longer by itself is not asked: it would be repeated for each edit that none before it noticed. */
const MAX_TEST_MS = 1_500;
const THREADS = 2;
const FILES_AT_ONCE = 15;

export interface EditVerdict {
  readonly id: string;
  readonly kind: EditKind;
  /** The test that fails under the edit, and how. Null: none does. */
  readonly finding: { readonly killer: string; readonly why: string } | null;
  /** Whether a test has come by it. */
  readonly isRun: boolean;
}

type Finding = NonNullable<EditVerdict['finding']>;

/**
 * Has the tests nearest to a folder run under each of these edits, until one of them fails. Where a test was cut off,
 * the edit is tried once more, by one thread alone: only what is found then counts.
 */
export async function triedEdits(folder: Folder, files: readonly EditedFile[]): Promise<EditVerdict[]> {
  const { planned, findings } = await foundBeside(folder, files);
  const doubtful = new Set([...findings].flatMap(([number, { why }]) => (isCutOff(why) ? [number] : [])));
  const confirmed = doubtful.size === 0 ? new Map<number, Finding>() : await foundAlone(files, planned, doubtful);
  const run = new Set([...Object.values(planned.asked).flatMap(({ edits }) => edits), ...planned.loading]);
  return files.flatMap(({ edits }) =>
    edits.map(({ id, kind, number }) => ({
      id,
      kind,
      finding: (doubtful.has(number) ? confirmed : findings).get(number) ?? null,
      isRun: run.has(number),
    })),
  );
}

/** In a thread that has tried none of them before. */
async function foundAlone(files: readonly EditedFile[], planned: Plan, numbers: ReadonlySet<number>) {
  const vitest = await editedVitest(files);
  try {
    return await foundBy(
      vitest,
      partOf(planned, (number) => numbers.has(number)),
    );
  } finally {
    await vitest.close();
  }
}

async function foundBeside(folder: Folder, files: readonly EditedFile[]) {
  const vitests = await Promise.all(Array.from({ length: THREADS }, () => editedVitest(files)));
  try {
    const [first] = vitests;
    if (!first) throw new Error('no thread');
    const planned = plan(await passOver(first, testsNear(folder), { kind: 'looking' }));
    // Each thread has every other edit. While one waits for what an edit has stopped, the other goes on.
    const isOf = (thread: number) => (number: number) => number % THREADS === thread;
    const found = await Promise.all(vitests.map((vitest, thread) => foundBy(vitest, partOf(planned, isOf(thread)))));
    return { planned, findings: new Map(found.flatMap((some) => [...some])) };
  } finally {
    await Promise.all(vitests.map((vitest) => vitest.close()));
  }
}

function partOf({ tests, asked, loading }: Plan, isMine: (number: number) => boolean): Plan {
  const mine = Object.entries(asked).map(
    ([test, { edits, took }]) => [test, { edits: edits.filter(isMine), took }] as const,
  );
  return { tests, asked: Object.fromEntries(mine), loading: loading.filter(isMine) };
}

async function foundBy(vitest: Vitest, { tests, asked, loading }: Plan): Promise<Map<number, Finding>> {
  const found = foundIn(await passOver(vitest, tests, { kind: 'editing', asked }));
  for (const number of loading) {
    if (found.has(number)) continue;
    const finding = await foundWhileLoading(vitest, tests, number);
    if (finding) found.set(number, finding);
  }
  return found;
}

interface Plan {
  /** The quickest files first. */
  readonly tests: readonly string[];
  readonly asked: { readonly [test: string]: Asked };
  readonly loading: readonly number[];
}

function plan(modules: readonly TestModule[]): Plan {
  const asked: Record<string, Asked> = {};
  const costs = new Map<string, number>();
  for (const module of modules) {
    const errors = module.errors().map(({ message }) => message);
    if (errors.length > 0) throw new Error(`${module.relativeModuleId} cannot be loaded: ${errors.join('; ')}`);
    let cost = 0;
    for (const test of module.children.allTests()) {
      const { edits = [], took = { cpuMs: 0, idleMs: 0, times: 0 } } = test.meta();
      // Those that cannot be repeated fail the second time.
      if (edits.length === 0 || took.cpuMs + took.idleMs > MAX_TEST_MS || test.result().state !== 'passed') continue;
      asked[test.id] = { edits, took };
      cost += took.cpuMs + took.idleMs;
    }
    costs.set(module.moduleId, cost);
  }
  const tests = [...costs].toSorted(([, one], [, other]) => one - other).map(([test]) => test);
  return { tests, asked, loading: [...new Set(modules.flatMap((module) => module.meta().loading ?? []))] };
}

function foundIn(modules: readonly TestModule[]): Map<number, Finding> {
  const found = new Map<number, Finding>();
  for (const module of modules) {
    for (const test of module.children.allTests()) {
      const { kills = [] } = test.meta();
      const killer = `${module.relativeModuleId}: ${test.fullName}`;
      if (test.result().state === 'failed')
        throw new Error(`${killer} fails without an edit after it ran under ${kills.length} of them`);
      for (const { number, why } of kills) found.set(number, { killer, why });
    }
  }
  return found;
}

/** What is computed while files are loaded is loaded anew, with some test files at a time: the first find most. */
async function foundWhileLoading(vitest: Vitest, tests: readonly string[], number: number): Promise<Finding | null> {
  for (let from = 0; from < tests.length; from += FILES_AT_ONCE) {
    for (const module of await passOver(vitest, tests.slice(from, from + FILES_AT_ONCE), { kind: 'loading', number })) {
      const [error] = module.errors();
      if (error) return { killer: module.relativeModuleId, why: error.message };
      for (const test of module.children.allTests('failed')) {
        const why = test.result().errors?.[0]?.message ?? '';
        return { killer: `${module.relativeModuleId}: ${test.fullName}`, why };
      }
    }
  }
  return null;
}
