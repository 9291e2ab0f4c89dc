import { writeChanged } from '../git/worktree/true-trees.ts';
import type { CheckControl } from '../../machines/recorded-proof.ts';
import type { CheckedTests, ReportedTests } from '../evidence/tests-of-checks.ts';
import {
  type ControlledTests,
  controlOf,
  evaded,
  judgeControl,
  type JudgedControl,
  type JudgedFile,
  pathsByOutcome,
} from '../evidence/control/judge-control.ts';
import { isAmong, namedFile } from '../evidence/control/test-file.ts';
import { type Controlled, type ControlledCheck, controlledFiles } from './control-files.ts';
import type { PreparedLegs } from './prepare-legs.ts';
import { type CheckedHow, checksUpTo, ranTree } from './check-tree.ts';

export type ControlledLegs = Pick<PreparedLegs, 'plan' | 'call' | 'place' | 'prepare'>;

interface ControlHow extends Pick<CheckedHow, 'run' | 'checks' | 'stepped' | 'environment' | 'signal'> {
  /** What became of the tests of each check. */
  readonly tests: readonly CheckedTests[];
  /** The tests of the start. */
  readonly start: ReportedTests;
}

/** The outcome of tests that must fail, by file and by check. */
export interface RanControl extends JudgedControl {
  /** Without checks that no file was found for. */
  readonly checks: ReadonlyMap<string, CheckControl['is']>;
}

/**
 * Finds out whether the work turns against its test runner: tests that must fail are added to files of the start, and
 * the checks run once more. Null: told to stop. Nothing is held, broken or unnoticed where no such file is known.
 */
export async function ranControl(legs: ControlledLegs, how: ControlHow): Promise<RanControl | null> {
  const found = await controlledFiles(legs, how.tests, how.start);
  if (found.length === 0) return { ...pathsByOutcome([]), checks: new Map() };
  const onWork = await ranWith(legs.plan.first, found, ({ added }) => added, legs, how);
  if (onWork === null) return null;
  const doubtful = found.flatMap(({ check, files, further }) => {
    const some = evaded([...files, ...further], testsOf(check, onWork));
    return some.length === 0 ? [] : [{ check, files: some, further: [] }];
  });
  const loaded = loadedAtStart(how.start);
  const text = ({ path, added, alone }: Controlled) => (isAmong(path, loaded) ? added : alone);
  const atStart = doubtful.length === 0 ? new Map() : await ranWith(legs.plan.baseTree, doubtful, text, legs, how);
  if (atStart === null) return null;
  const judged = found.map(({ check, files, further }) => {
    const ran = { onWork: testsOf(check, onWork), atStart: testsOf(check, atStart) };
    const own = judgeControl(files, ran);
    const doubts = furtherDoubts(further, ran);
    // A doubt outweighs what held elsewhere.
    return { check, files: [...own, ...doubts], is: controlOf(doubts.length > 0 ? doubts : own) };
  });
  const checks = new Map(judged.map(({ check, is }) => [check, is]));
  return { ...pathsByOutcome(worstOf(judged.flatMap(({ files }) => files))), checks };
}

/**
 * Judges further files: those that the work breaks, and those whose tests are not run beside tests that fail, as with
 * `--bail`. A few of these say nothing: a file may have its tests within a function, or in a process of its own.
 */
function furtherDoubts(further: readonly Controlled[], ran: ControlledTests): readonly JudgedFile[] {
  const judged = judgeControl(further, ran);
  const unnoticed = judged.filter(({ is }) => is === 'unnoticed');
  const isOfRunner = unnoticed.length * 2 > further.length;
  return [...judged.filter(({ is }) => is === 'broken'), ...(isOfRunner ? unnoticed : [])];
}

const testsOf = (check: string, ran: ReportedTests) => ran.get(check)?.tests ?? [];

/** Each file once, by the worst that a check came to in it. */
const worstOf = (files: readonly JudgedFile[]): readonly JudgedFile[] =>
  [...Map.groupBy(files, ({ path }) => path)].map(([path, some]) => ({
    path,
    is: (['broken', 'unnoticed', 'bare'] as const).find((is) => some.some((one) => one.is === is)) ?? 'held',
  }));

/** The files of which a test has a name: they could be loaded. */
const loadedAtStart = (start: ReportedTests): ReadonlySet<string> =>
  new Set(
    [...start.values()].flatMap(({ tests }) => tests.flatMap(({ file, name }) => (name ? [namedFile({ file })] : []))),
  );

/** Runs the checks on a tree whose files have these texts: what their tests came to. Null: told to stop. */
async function ranWith(
  start: string,
  found: readonly ControlledCheck[],
  text: (file: Controlled) => string,
  legs: ControlledLegs,
  { run, checks, stepped, environment, signal }: ControlHow,
): Promise<ReportedTests | null> {
  const files = found.flatMap((one) => [...one.files, ...one.further]);
  const texts = files.map((file) => [file.entry.name, { text: text(file) }] as const);
  const tree = await writeChanged(start, new Map(texts), legs.call);
  const needed = checksUpTo(new Set(found.map(({ check }) => check)), checks, legs.plan);
  const how = { run, environment, signal, stepped, checks: needed, runsAll: true };
  // What fails here is meant to.
  const ran = await ranTree('control', tree, legs, { ...how, delta: () => {} });
  return ran && ran.tests;
}
