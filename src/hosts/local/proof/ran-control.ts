import { isFile } from '../../../evidence/tree-entry.ts';
import { randomBytes, randomInt } from 'node:crypto';
import { MAX_CONTROLLED } from '../../../../machines/recorded-proof.ts';
import type { Check } from '../../../../machines/settings.ts';
import { textOf, writeTree } from '../../../actors/workspace/proof-repository.ts';
import type { CheckedTests, ReportedTests } from '../../../evidence/checked-tests.ts';
import {
  type ControlledFile,
  evaded,
  type JudgedControl,
  judgeControl,
  pathsByOutcome,
} from '../../../evidence/control/judge-control.ts';
import { type Control, mustFail } from '../../../evidence/control/must-fail.ts';
import type { TestResult } from '../../../evidence/test-list.ts';
import { hasTest, isAmong, namedFile, testsByFile } from '../../../evidence/control/test-file.ts';
import { byName, type NamedEntries, type NamedEntry } from './base-grounds.ts';
import type { PreparedLegs } from './prepared-legs.ts';
import { type CheckedHow, checksUpTo, ranTree } from './ran-tree.ts';

const WORD_BYTES = 6;
const MAX_NUMBER = 100_000;

type ControlledLegs = Pick<PreparedLegs, 'plan' | 'call' | 'place' | 'prepare'>;

interface ControlHow extends Pick<CheckedHow, 'run' | 'checks' | 'environment' | 'signal'> {
  /** What became of the tests of each check. */
  readonly tests: readonly CheckedTests[];
  /** The tests of the start. */
  readonly start: ReportedTests;
}

interface Controlled extends ControlledFile, Control {
  readonly entry: NamedEntry;
}

/**
 * Whether the work turns against its test runner: tests that must fail are added to files of the start whose tests
 * turned green with the work, and the checks are run once more. Null: told to stop. Nothing is held, broken or
 * unnoticed where no such file is known.
 */
export async function ranControl(legs: ControlledLegs, how: ControlHow): Promise<JudgedControl | null> {
  const [first] = legs.plan.trees;
  const files = await controlledFiles(legs, how.tests);
  if (files.length === 0) return pathsByOutcome([]);
  const onWork = await ranWith(first, files, ({ added }) => added, legs, how);
  if (onWork === null) return null;
  const doubtful = evaded(files, onWork);
  if (doubtful.length === 0) return pathsByOutcome(judgeControl(files, { onWork, atStart: [] }));
  const loaded = loadedAtStart(how.start);
  const text = ({ path, added, alone }: Controlled) => (isAmong(path, loaded) ? added : alone);
  const atStart = await ranWith(legs.plan.base, doubtful, text, legs, how);
  return atStart && pathsByOutcome(judgeControl(files, { onWork, atStart }));
}

/** Files as the run began with them, of which tests failed then and pass now. */
async function controlledFiles({ plan, call }: ControlledLegs, tests: readonly CheckedTests[]): Promise<Controlled[]> {
  const [first] = plan.trees;
  const turned = testsByFile(
    tests.flatMap((checked) => checked.turned),
    plan.base.keys(),
  );
  const mark = { word: `k${randomBytes(WORD_BYTES).toString('hex')}`, number: randomInt(MAX_NUMBER) };
  const found: Controlled[] = [];
  for (const path of inAnyOrder([...turned.keys()])) {
    const entry = plan.base.get(path);
    if (!isFile(entry) || first.get(path)?.hash !== entry.hash) continue;
    const text = await textOf(entry.hash, call);
    const word = `${mark.word}f${found.length}`;
    const isOfTurned = text !== null && turned.get(path)?.some((test) => hasTest(path, text, test));
    const control = isOfTurned && mustFail(path, text, { word, numbers: [mark.number, mark.number + 1] });
    if (control) found.push({ path, entry, ...control });
    if (found.length === MAX_CONTROLLED) break;
  }
  return found;
}

/** Which files are taken is not for the work to know. */
const inAnyOrder = (paths: readonly string[]): readonly string[] =>
  paths
    .map((path) => ({ path, at: randomInt(MAX_NUMBER) }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ path }) => path);

/** The files of which a test has a name: they could be loaded. */
const loadedAtStart = (start: ReportedTests): ReadonlySet<string> =>
  new Set(
    [...start.values()].flatMap(({ tests }) => tests.flatMap(({ file, name }) => (name ? [namedFile({ file })] : []))),
  );

/** Runs the checks on a tree whose files have these texts: what their tests came to. Null: told to stop. */
async function ranWith(
  entries: NamedEntries,
  files: readonly Controlled[],
  text: (file: Controlled) => string,
  legs: ControlledLegs,
  { tests, checks, ...how }: ControlHow,
): Promise<readonly TestResult[] | null> {
  const texts = new Map(files.map((file) => [file.entry.name, text(file)]));
  const tree = await writeTree(byName(entries), texts, legs.call);
  const ran = await ranTree('control', tree, legs, {
    ...how,
    checks: neededFor(tests, checks),
    runsAll: true,
    // What fails here is meant to.
    delta: () => {},
  });
  return ran && [...ran.tests.values()].flatMap((list) => list.tests);
}

/** Checks with a test that turned, and what they may need. */
const neededFor = (tests: readonly CheckedTests[], checks: readonly Check[]): readonly Check[] =>
  checksUpTo(new Set(tests.filter(({ turned }) => turned.length > 0).map(({ check }) => check)), checks);
