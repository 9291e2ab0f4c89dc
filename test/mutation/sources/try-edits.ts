import { readFileSync } from 'node:fs';
import type { TestModule } from 'vitest/node';
import type { EditKind } from './edits.ts';
import { type EditedVitest, editedVitest } from './edited-vitest.ts';
import { CUT_OFF, isCutOff } from './cut-off.ts';
import type { AskedByTest } from './edited-runs.ts';
import type { Fatal, Tried } from './tries.ts';
import type { EditedFile } from './watched.ts';

/** A test that takes longer by itself is not asked: it would be repeated for each edit that none before it noticed. */
const MAX_TEST_MS = 1_500;
const PROCESSES = 2;
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

export interface TriedEdits {
  readonly verdicts: readonly EditVerdict[];
  /** Tests that failed without an edit after they ran under some: what they found is worth nothing. */
  readonly spoilt: readonly string[];
}

interface Found {
  readonly by: Map<number, Finding>;
  readonly spoilt: string[];
}

/**
 * Has these test files run under each of these edits, until one of their tests fails. Where a test was cut off, the
 * edit is tried once more, by one process alone: only what is found then counts.
 */
export async function triedEdits(tests: readonly string[], files: readonly EditedFile[]): Promise<TriedEdits> {
  const { planned, found } = await foundBeside(tests, files);
  const doubtful = new Set([...found.by].flatMap(([number, { why }]) => (isCutOff(why) ? [number] : [])));
  const confirmed = doubtful.size === 0 ? { by: new Map(), spoilt: [] } : await foundAlone(files, planned, doubtful);
  const run = new Set([...Object.values(planned.asked).flatMap(({ edits }) => edits), ...planned.loading]);
  const verdicts = files.flatMap(({ edits }) =>
    edits.map(({ id, kind, number }) => ({
      id,
      kind,
      finding: (doubtful.has(number) ? confirmed : found).by.get(number) ?? null,
      isRun: run.has(number),
    })),
  );
  return { verdicts, spoilt: [...found.spoilt, ...confirmed.spoilt] };
}

/** In a process that has tried none of them before. */
async function foundAlone(files: readonly EditedFile[], planned: Plan, numbers: ReadonlySet<number>): Promise<Found> {
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

async function foundBeside(tests: readonly string[], files: readonly EditedFile[]) {
  const vitests = await Promise.all(Array.from({ length: PROCESSES }, () => editedVitest(files)));
  try {
    const [first] = vitests;
    if (!first) throw new Error('no process');
    const modules: TestModule[] = [];
    for (const group of together(tests)) modules.push(...(await first.passOver(group, { kind: 'looking' })).modules);
    const planned = plan([...new Map(modules.map((module) => [module.moduleId, module])).values()]);
    // Each process has every other edit. While one waits for what an edit has stopped, the other goes on.
    const isOf = (index: number) => (number: number) => number % PROCESSES === index;
    const all = await Promise.all(vitests.map((vitest, index) => foundBy(vitest, partOf(planned, isOf(index)))));
    const by = new Map(all.flatMap((one) => [...one.by]));
    return { planned, found: { by, spoilt: all.flatMap(({ spoilt }) => spoilt) } };
  } finally {
    await Promise.all(vitests.map((vitest) => vitest.close()));
  }
}

const partOf = ({ tests, asked, loading }: Plan, isMine: (number: number) => boolean): Plan => ({
  tests,
  asked: narrowed(asked, isMine),
  loading: loading.filter(isMine),
});

/** An edit that ends its process is caught by that: the tests that have not run go on in another one. */
async function foundBy(vitest: EditedVitest, { tests, asked, loading }: Plan): Promise<Found> {
  const found: Found = { by: new Map(), spoilt: [] };
  for (const group of together(tests)) {
    for (let open: AskedByTest | null = stillOpen(asked, [], found); open !== null;) {
      const { tries } = await vitest.passOver(group, { kind: 'editing', asked: open });
      for (const one of tries.all) note(one, found);
      const { fatal } = tries;
      if (fatal) note({ ...fatal, why: whyOf(fatal) }, found);
      open = fatal && stillOpen(open, tries.all, found);
    }
  }
  for (const number of loading) {
    if (found.by.has(number)) continue;
    const finding = await foundWhileLoading(vitest, { tests, asked }, number);
    if (finding) found.by.set(number, finding);
  }
  return found;
}

/** The test files that may share a process: one that replaces a module has a process of its own. */
function together(tests: readonly string[]): string[][] {
  const isAlone = new Map(tests.map((test) => [test, readFileSync(test, 'utf8').includes('vi.mock(')]));
  return [
    tests.filter((test) => !isAlone.get(test)),
    ...tests.filter((test) => isAlone.get(test)).map((test) => [test]),
  ];
}

/** Memory and processor time do not depend on the load of a machine: what takes too much itself is not tried again. */
const whyOf = ({ why, isSure }: Fatal): string => (isSure ? `${why}` : `${CUT_OFF}${why}`);

function note({ number, name, why }: Tried, { by, spoilt }: Found): void {
  if (why === null) return;
  if (number === null) spoilt.push(`${name} (${why})`);
  else by.set(number, { killer: name, why });
}

/** What is left where a process has ended. */
function stillOpen(asked: AskedByTest, tried: readonly Tried[], { by }: Found): AskedByTest {
  const isOver = new Set(tried.map(({ test, number }) => `${test} ${number}`));
  return narrowed(asked, (number, test) => !by.has(number) && !isOver.has(`${test} ${number}`));
}

function narrowed(asked: AskedByTest, isLeft: (number: number, test: string) => boolean): AskedByTest {
  return Object.fromEntries(
    Object.entries(asked).map(
      ([test, { edits, took }]) => [test, { edits: edits.filter((number) => isLeft(number, test)), took }] as const,
    ),
  );
}

interface Plan {
  /** The quickest files first. */
  readonly tests: readonly string[];
  /** Also tests that come by no edit: they may by one while files are loaded. */
  readonly asked: AskedByTest;
  readonly loading: readonly number[];
}

function plan(modules: readonly TestModule[]): Plan {
  const asked: Record<string, AskedByTest[string]> = {};
  const costs = new Map<string, number>();
  for (const module of modules) {
    const errors = module.errors().map(({ message }) => message);
    if (errors.length > 0) throw new Error(`${module.relativeModuleId} cannot be loaded: ${errors.join('; ')}`);
    let cost = 0;
    for (const test of module.children.allTests()) {
      const { edits = [], took = { cpuMs: 0, idleMs: 0, times: 0 } } = test.meta();
      // Those that cannot be repeated fail the second time.
      if (took.cpuMs + took.idleMs > MAX_TEST_MS || test.result().state !== 'passed') continue;
      asked[test.id] = { edits, took };
      cost += took.cpuMs + took.idleMs;
    }
    costs.set(module.moduleId, cost);
  }
  const tests = [...costs].toSorted(([, one], [, other]) => one - other).map(([test]) => test);
  return { tests, asked, loading: [...new Set(modules.flatMap((module) => module.meta().loading ?? []))] };
}

const inParts = (tests: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(tests.length / FILES_AT_ONCE) }, (_, part) =>
    tests.slice(part * FILES_AT_ONCE, (part + 1) * FILES_AT_ONCE),
  );

/** What is computed while files are loaded is loaded anew, with some test files at a time: the first find most. */
async function foundWhileLoading(
  vitest: EditedVitest,
  { tests, asked }: Pick<Plan, 'tests' | 'asked'>,
  number: number,
): Promise<Finding | null> {
  for (const files of together(tests).flatMap(inParts)) {
    const { modules, tries } = await vitest.passOver(files, { kind: 'loading', asked, number });
    if (tries.fatal) return { killer: tries.fatal.name, why: whyOf(tries.fatal) };
    const failed = tries.all.find(({ why }) => why !== null);
    if (failed) return { killer: failed.name, why: failed.why ?? '' };
    for (const module of modules) {
      const [error] = module.errors();
      // A vitest knows those of its passes before, too.
      if (error && files.includes(module.moduleId)) return { killer: module.relativeModuleId, why: error.message };
    }
  }
  return null;
}
