import { type ComparedAttempt, type Measure, MAX_ATTEMPTS } from '../../../machines/contest-facts.ts';
import type { EventOf } from '../../../machines/events.ts';
import type { Grade } from '../../../machines/outcome.ts';
import { amount } from '../../text/money.ts';
import type { Contestant } from './contest-memory.ts';

type Comparison = EventOf<'attempts.compared'>['payload'];

const RANKS: Readonly<Record<Grade, number>> = {
  witnessed: 4,
  approved: 3,
  verified: 2,
  weak: 1,
  'not regressed': 0,
};

/**
 * Compares attempts by evidence: whether they stand, then the grade of their proof, then the tests of the start that
 * pass, then the size of the change; of equals the earlier one. An attempt that has changed nothing comes last of those
 * that stand. It is decided where none runs or begins any more, or where the best has all that any can have but for the
 * size of its change: that is worth no more money.
 *
 * @example
 * compareAttempts(memory.all(), { mayBegin: false });
 */
export function compareAttempts(all: readonly Contestant[], { mayBegin }: { readonly mayBegin: boolean }): Comparison {
  const ordered = all.toSorted(byEvidence);
  const [best] = ordered;
  const leader = best && canWin(best) ? best : null;
  const running = all.filter(isRunning).length;
  const isUnbeatable = leader?.measure?.enough === true && !leader.measure.surpassable;
  const isDecided = isUnbeatable || (running === 0 && !mayBegin);
  return {
    leader: leader?.lane ?? null,
    isDecided,
    because: whyLed(ordered, leader, { isUnbeatable, running }),
    attempts: ordered.slice(0, MAX_ATTEMPTS).map((one) => rowOf(one, { leader, isDecided })),
  };
}

/** Nothing is known of its work yet. */
const isRunning = ({ measure, lost, isStopped }: Contestant): boolean =>
  measure === null && lost === null && !isStopped;

const canWin = ({ measure, isChosen }: Contestant): boolean => measure?.stands === true && !isChosen;

/** Each larger number is better, the first that differs decides. */
const valuesOf = (one: Contestant): readonly number[] => [
  Number(canWin(one)),
  Number(isRunning(one)),
  ...(one.measure ? evidenceOf(one.measure) : []),
];

const evidenceOf = ({ grade, enough, tests, checks, change }: Measure): readonly number[] => [
  Number(enough),
  grade === null ? -1 : RANKS[grade],
  tests.passed,
  checks.passed,
  Number(change.files > 0),
  -change.lines,
  -change.files,
];

function byEvidence(one: Contestant, other: Contestant): number {
  const [mine, theirs] = [valuesOf(one), valuesOf(other)];
  const place = mine.findIndex((value, index) => value !== theirs[index]);
  return place < 0 ? Number(one.lane) - Number(other.lane) : (theirs[place] ?? -Infinity) - (mine[place] ?? 0);
}

interface Standing {
  readonly leader: Contestant | null;
  readonly isDecided: boolean;
}

function rowOf(one: Contestant, { leader, isDecided }: Standing): ComparedAttempt {
  const { lane, model, measure } = one;
  const place = placeOf(one, { leader, isDecided });
  return { lane, model, place, because: whyThere(one, place), measure };
}

function placeOf(one: Contestant, { leader, isDecided }: Standing): ComparedAttempt['place'] {
  if (one === leader) return 'leads';
  if (one.isRefused) return 'refused';
  if (one.isStopped || (isRunning(one) && isDecided)) return 'ended early';
  if (isRunning(one)) return 'runs';
  return canWin(one) ? 'stands' : 'fails';
}

function whyThere({ measure, lost, outcome }: Contestant, place: ComparedAttempt['place']): string {
  if (place === 'runs') return 'nothing is known of it yet';
  if (place === 'ended early') return 'another one could not be beaten any more';
  if (lost !== null) return lost;
  if (place === 'refused') return 'its change did not pass in the workspace';
  if (measure?.stands) return measure.grade ?? 'says that it is done; nothing has checked it';
  return outcome?.ending === 'abort' ? (outcome.fault?.message ?? `aborted by ${outcome.cause}`) : failing(measure);
}

function failing(measure: Measure | null): string {
  const failed = measure?.checks.failed ?? 0;
  return failed > 0 ? `${amount(failed, 'check')} ${failed === 1 ? 'fails' : 'fail'}` : 'did not come to an end';
}

function whyLed(
  ordered: readonly Contestant[],
  leader: Contestant | null,
  { isUnbeatable, running }: { readonly isUnbeatable: boolean; readonly running: number },
): string {
  if (leader === null) return 'no attempt stands';
  const next = ordered.find((one) => one !== leader && canWin(one));
  const over = next
    ? `attempt ${leader.lane} is better than attempt ${next.lane} by ${difference(leader, next)}`
    : null;
  const alone = `attempt ${leader.lane} is the only one that stands`;
  const early = isUnbeatable && running > 0 ? '; none that runs can have better evidence' : '';
  return `${over ?? alone}${early}`;
}

/** The first thing in which two attempts differ, in words. */
function difference(one: Contestant, other: Contestant): string {
  const [mine, theirs] = [one.measure, other.measure];
  if (!mine || !theirs) return 'its evidence';
  if (mine.enough !== theirs.enough || mine.grade !== theirs.grade)
    return `its grade: ${mine.grade ?? 'none'}, not ${theirs.grade ?? 'none'}`;
  if (mine.tests.passed !== theirs.tests.passed)
    return `tests of the start that pass: ${mine.tests.passed}, not ${theirs.tests.passed}`;
  if (mine.checks.passed !== theirs.checks.passed)
    return `checks that pass: ${mine.checks.passed}, not ${theirs.checks.passed}`;
  if (mine.change.files > 0 !== theirs.change.files > 0) return 'having changed something';
  if (mine.change.lines !== theirs.change.lines)
    return `a smaller change: ${amount(mine.change.lines, 'line')}, not ${theirs.change.lines}`;
  if (mine.change.files !== theirs.change.files) return `fewer files: ${mine.change.files}, not ${theirs.change.files}`;
  return 'being the earlier of two that are alike';
}
