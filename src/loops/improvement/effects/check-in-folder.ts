import type { AcceptanceTest, Discovery, Witness } from '../../../../machines/improvement-facts.ts';
import type { ImprovementOptions } from '../../../../machines/improvement-options.ts';
import type { TreeChange } from '../../../git/tree-change.ts';
import { basedOn } from '../../../evidence/base-tests.ts';
import { knownFlickering } from '../../../evidence/flicker-tests.ts';
import type { LegsSubject } from '../../../verification/legs-subject.ts';
import { type AddedHow, addedTestsTier } from './new-tests-tier.ts';
import { checkTiers } from './check-tiers.ts';
import { type CheckedCandidate, checkedCandidate } from './check-candidate.ts';
import { earlyTier, earlyTiers } from './early-tiers.ts';
import { errorsIn, foundInLegs } from './check-head.ts';
import { changedInSources, groundsTier } from './grounds-tier.ts';
import { resolvesTier } from './resolves-tier.ts';
import { shownByWitness } from './witness-tier.ts';
import type { TierLog } from './tier-log.ts';

/** A candidate, and what its checks are compared with. */
export interface CheckedHere extends AddedHow {
  readonly discovery: Discovery;
  /** What is to show that it is done. Null: the run began before candidates named one. */
  readonly witness: Witness | null;
  /** The test that was written first. Null: there is none. */
  readonly acceptance: AcceptanceTest | null;
  /** The coverage report that findings come from. Null: there is none. */
  readonly lcov: string | null;
  /** No other experiment is under way: nothing else touches the times of shared dependencies. */
  readonly isAlone: boolean;
  readonly options: ImprovementOptions['phases']['evaluate'];
  /** What the candidate changes on the head. */
  readonly changes: readonly TreeChange[];
  readonly log: TierLog;
  /** The repository that keeps the trees. */
  readonly git: Parameters<typeof groundsTier>[1];
}

/**
 * The tiers that share a checkout: the commands before the checks, the checks, whether the finding is gone, and whether
 * its witness shows it.
 * `early`: refused before the checks. Null: told to stop.
 */
export async function checkedHere(
  subject: LegsSubject,
  legs: Parameters<typeof checkedCandidate>[1],
  how: CheckedHere,
): Promise<CheckedCandidate | 'early' | null> {
  const { log, baseline, changes, options, checks } = how;
  const isFile = (entry: TreeChange['after']) => entry?.mode.startsWith('100') ?? false;
  const there = changes.filter(({ after }) => isFile(after));
  const pathsOf = (some: readonly TreeChange[]) => some.map(({ path }) => path);
  const files = { files: pathsOf(there), ofHead: pathsOf(there.filter(({ before }) => isFile(before))) };
  const { plan } = legs;
  const grounds = { plan, discovery: how.discovery, allowed: subject.asked?.allowGrounds ?? [] };
  if (!log.say(await groundsTier(grounds, how.git))) return 'early';
  for (const wanted of earlyTiers(options, files)) {
    const ran = await earlyTier(wanted, subject, legs, how);
    if (ran === null) return null;
    log.costUsd += ran.runs * wanted.costUsd;
    if (!log.say(ran.tier)) return 'early';
  }
  const foundIn = foundInLegs(legs, checks);
  const checked = await checkedCandidate(subject, legs, {
    ...how,
    head: { levels: baseline.levels, tests: basedOn(baseline.tests) },
    flickering: knownFlickering(baseline),
    findingsOf: errorsIn(foundIn),
  });
  if (checked === null) return null;
  for (const { tookMs, ...tier } of checkTiers(checked, baseline)) if (!log.say(tier, tookMs)) return checked;
  const { testsInSources = [] } = checked.proof;
  if (testsInSources.length > 0 && how.discovery.source !== 'skipped-tests') {
    log.say(changedInSources(testsInSources));
    return checked;
  }
  const added = await addedTestsTier(checked, how);
  if (added === null) return null;
  if (added && !log.say(added)) return checked;
  const resolved = await resolvesTier(subject, checked, { ...how, foundIn });
  if (resolved === null) return null;
  const { witness } = how;
  if (!log.say(resolved) || witness === null || witness.kind === 'interval') return checked;
  log.shown = await shownByWitness(subject, checked, { ...how, witness });
  return log.shown && checked;
}
