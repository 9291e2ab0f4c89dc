import type { EarlyTier, ImprovementOptions } from '../../../../machines/improvement-options.ts';
import type { TierKind } from '../../../../machines/improvement-facts.ts';
import { quotedAll } from '../../../text/shell-words.ts';
import type { CheckedHow, RanTree } from '../proof/ran-tree.ts';
import { passes, ranTree } from '../proof/ran-tree.ts';
import type { PreparedLegs } from '../proof/prepared-legs.ts';
import type { Tier } from './candidate-tier.ts';

/** A tier before the checks, and what one run of it costs. */
export interface WantedTier extends EarlyTier {
  readonly kind: Extract<TierKind, 'focused' | 'anchors'>;
}

const FILES = '{files}';
const MAX_OUTPUT_CHARACTERS = 1_500;

/** The tiers that run before the checks, with the changed files that are there in place of `{files}`. */
export function earlyTiers(
  { focused, anchors }: Pick<ImprovementOptions['phases']['evaluate'], 'focused' | 'anchors'>,
  files: readonly string[],
): readonly WantedTier[] {
  const wanted = [
    ...(focused ? [{ ...focused, kind: 'focused' as const }] : []),
    ...anchors.map((anchor) => ({ ...anchor, kind: 'anchors' as const })),
  ];
  return wanted
    .filter(({ command }) => files.length > 0 || !command.includes(FILES))
    .map((tier) => ({ ...tier, command: tier.command.replaceAll(FILES, () => quotedAll(files)) }));
}

/** How often a tier has run: it costs as much each time. */
interface RanTier {
  readonly tier: Tier;
  readonly runs: number;
}

/**
 * Runs a command on a tree. One that fails runs once more: where it passes then it flickers, and says nothing. Null:
 * told to stop.
 */
export async function earlyTier(
  { name, command, timeoutMs, kind }: WantedTier,
  tree: string,
  legs: Pick<PreparedLegs, 'place' | 'prepare'>,
  how: Omit<CheckedHow, 'checks'>,
): Promise<RanTier | null> {
  const checks = [{ level: 'L0' as const, name, command, timeoutMs }];
  const run = () => ranTree('early', tree, legs, { ...how, checks });
  const first = await run();
  if (first === null) return null;
  const named = { tier: name, kind };
  if (passes(first.levels)) return { tier: { ...named, passed: true, detail: 'passed' }, runs: 1 };
  const again = await run();
  if (again === null) return null;
  const detail = passes(again.levels) ? 'failed once, and passed when it ran again' : `failed twice: ${endOf(again)}`;
  const isFlake = passes(again.levels);
  return { tier: { ...named, passed: isFlake, detail, ...(isFlake ? { flickered: [name] } : {}) }, runs: 2 };
}

const endOf = ({ checks }: RanTree): string =>
  (checks.find(({ passed }) => !passed)?.output ?? '').trim().slice(-MAX_OUTPUT_CHARACTERS);
