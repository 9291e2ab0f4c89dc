import type { EarlyTier, ImprovementOptions } from '../../../../machines/improvement-options.ts';
import type { TierKind } from '../../../../machines/improvement-facts.ts';
import { quotedAll } from '../../../text/shell-words.ts';
import type { CheckedHow, RanTree } from '../../../verification/check-tree.ts';
import { passes, ranTree } from '../../../verification/check-tree.ts';
import type { LegsSubject } from '../../../verification/legs-subject.ts';
import type { PreparedLegs } from '../../../verification/prepare-legs.ts';
import type { Tier } from './candidate-tier.ts';

/** A tier before the checks, and what one run of it costs. */
export interface WantedTier extends EarlyTier {
  readonly kind: Extract<TierKind, 'focused' | 'anchors'>;
  /** The command with the files that the head has as well. Null: it has none of them. */
  readonly onHead: string | null;
}

/** Files that a candidate changes, as its tree and as the head has them. */
interface ChangedHere {
  readonly files: readonly string[];
  readonly ofHead: readonly string[];
}

const FILES = '{files}';
const MAX_OUTPUT_CHARACTERS = 1_500;

/** The tiers that run before the checks, with the changed files that are there in place of `{files}`. */
export function earlyTiers(
  { focused, anchors }: Pick<ImprovementOptions['phases']['evaluate'], 'focused' | 'anchors'>,
  { files, ofHead }: ChangedHere,
): readonly WantedTier[] {
  const wanted = [
    ...(focused ? [{ ...focused, kind: 'focused' as const }] : []),
    ...anchors.map((anchor) => ({ ...anchor, kind: 'anchors' as const })),
  ];
  return wanted
    .filter(({ command }) => files.length > 0 || !command.includes(FILES))
    .map((tier) => ({
      ...tier,
      command: tier.command.replaceAll(FILES, () => quotedAll(files)),
      onHead:
        ofHead.length === 0 && tier.command.includes(FILES)
          ? null
          : tier.command.replaceAll(FILES, () => quotedAll(ofHead)),
    }));
}

/** How often a tier has run: it costs as much each time. */
interface RanTier {
  readonly tier: Tier;
  readonly runs: number;
}

/**
 * Runs a command on a tree. One that fails runs once more: where it passes then it flickers, and says nothing. One that
 * fails on the head, too, says nothing either: what is red there may stay so. Null: told to stop.
 */
export async function earlyTier(
  { name, command, onHead, timeoutMs, kind }: WantedTier,
  { work, base }: Pick<LegsSubject, 'work' | 'base'>,
  legs: Pick<PreparedLegs, 'place' | 'prepare' | 'call'>,
  how: Omit<CheckedHow, 'checks'>,
): Promise<RanTier | null> {
  const run = (leg: string, on: string, text: string) =>
    ranTree(leg, on, legs, { ...how, checks: [{ level: 'L0' as const, name, command: text, timeoutMs }] });
  const first = await run('early', work, command);
  if (first === null) return null;
  const named = { tier: name, kind };
  if (passes(first.levels)) return { tier: { ...named, passed: true, detail: 'passed' }, runs: 1 };
  const again = await run('early', work, command);
  if (again === null) return null;
  if (passes(again.levels)) return { tier: { ...named, passed: true, detail: FLICKERS, flickered: [name] }, runs: 2 };
  const refused = { ...named, passed: false, detail: `failed twice: ${endOf(again)}` };
  if (onHead === null) return { tier: refused, runs: 2 };
  const before = await run('head', base, onHead);
  if (before === null) return null;
  return { tier: passes(before.levels) ? refused : { ...named, passed: true, detail: AS_ON_HEAD }, runs: 3 };
}

const FLICKERS = 'failed once, and passed when it ran again';
const AS_ON_HEAD = 'fails, as on the head: the checks say whether anything is lost';

const endOf = ({ checks }: RanTree): string =>
  (checks.find(({ passed }) => !passed)?.output ?? '').trim().slice(-MAX_OUTPUT_CHARACTERS);
