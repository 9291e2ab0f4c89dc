import type { AcceptanceTest, Discovery, Witness } from '../../../../machines/improvement-facts.ts';
import { fileIn } from '../discovery/finding-facts.ts';
import { coveredFiles } from '../discovery/coverage-gaps.ts';
import { type Shown, turnedBy, unshown } from '../witness/turn-of-tests.ts';
import { amount } from '../../../text/money.ts';
import type { LegsSubject } from '../../../verification/legs-subject.ts';
import { ranControl } from '../../../verification/run-control.ts';
import { type CheckedHow, ranTree } from '../../../verification/check-tree.ts';
import { fromWorkspace } from './resolves-tier.ts';
import type { CheckedCandidate } from './check-candidate.ts';

interface ShownHow extends CheckedHow {
  readonly discovery: Discovery;
  readonly witness: Witness;
  readonly acceptance: AcceptanceTest | null;
  /** The coverage report that a finding of uncovered lines comes from. Null: there is none. */
  readonly lcov: string | null;
  readonly isAlone: boolean;
}

/**
 * Whether the witness of a candidate turned whose finding is gone and with which nothing is lost. Null: told to stop.
 * Throws a `GitError`.
 */
export async function shownByWitness(
  subject: LegsSubject,
  checked: CheckedCandidate,
  how: ShownHow,
): Promise<Shown | null> {
  const { witness, discovery, acceptance } = how;
  if (witness.kind === 'none') return unshown(witness);
  if (witness.kind === 'lines') return shownByLines(subject, checked, how);
  const { proof, legs } = checked;
  const place = `${subject.origin.prefix}${discovery.file ?? ''}`;
  const isGone = witness.kind === 'error' && discovery.file !== undefined && !legs.plan.trees[1].has(place);
  if (isGone) return unshown({ text: `the file that had the error is gone: ${discovery.file}` });
  const file = acceptance?.path ?? discovery.file ?? null;
  const isSkipped = discovery.source === 'skipped-tests';
  const control = isSkipped ? await controlOfWork(checked, how) : (proof.control ?? null);
  if (isSkipped && control === null) return null;
  return turnedBy(witness, { proof, check: discovery.check, file, held: control?.held ?? [], isAlone: how.isAlone });
}

/** A skipped test runs only as the candidate has it: so do the tests that must fail beside it. */
function controlOfWork({ legs, whole, restored }: CheckedCandidate, { discovery, ...how }: ShownHow) {
  const [, work] = legs.plan.trees;
  const { tests } = (whole ?? restored).ran;
  const turned = (tests.get(discovery.check ?? '')?.tests ?? []).filter(
    ({ file, result }) => result === 'passed' && (file === null || file === discovery.file),
  );
  const nothing = { kept: 0, stillRed: [], fresh: [], lost: [], zero: false, reportMissing: false };
  const own = { check: discovery.check ?? '', passed: true, reported: true, turned, ...nothing };
  const plan = { ...legs.plan, base: work, trees: [work, work] as const };
  return ranControl({ ...legs, plan }, { ...how, tests: [own], start: tests });
}

/**
 * Lines that no test reaches on the head have to be reached, by the report that the checks write in a checkout of each
 * tree. The file itself has to be as it was: lines that are deleted, joined or marked are reached by no test.
 */
async function shownByLines(
  subject: LegsSubject,
  { legs }: CheckedCandidate,
  { discovery, lcov, witness, ...how }: ShownHow,
): Promise<Shown | null> {
  const { file = '' } = discovery;
  if (lcov === null) return unshown(witness);
  const { base, trees } = legs.plan;
  const [, work] = trees;
  const path = `${subject.origin.prefix}${file}`;
  if (base.get(path)?.hash !== work.get(path)?.hash)
    return unshown({ text: `${file} itself has changed, so its lines cannot be compared: add tests alone` });
  const place = fileIn(
    new Set([...base.keys(), ...work.keys()].map((one) => fromWorkspace(one, subject.origin.prefix))),
  );
  const linesOf = async (leg: string, tree: string) => {
    const ran = await ranTree(leg, tree, legs, { ...how, runsAll: true, reads: lcov });
    return ran && { of: ran.read === undefined ? null : (coveredFiles(ran.read, place)?.get(file) ?? null) };
  };
  const onHead = await linesOf('head', subject.base);
  const now = onHead && (await linesOf('work', subject.work));
  if (!now) return null;
  if (!onHead.of || !now.of)
    return unshown({ text: `the checks report no lines of ${file} in ${lcov} in their checkout, so none is seen` });
  const { reached } = now.of;
  const { missed } = onHead.of;
  const count = [...missed].filter((line) => reached.has(line)).length;
  const text = `tests reach ${count} of ${amount(missed.size, 'line')} of ${file} that none reached before`;
  return { turned: count > 0, because: text };
}
