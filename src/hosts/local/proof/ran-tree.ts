import type { CheckResult, LevelResult } from '../../../../machines/events.ts';
import type { Check } from '../../../../machines/settings.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { runLevels } from '../../../actors/verify/verify-actor.ts';
import type { TestedLeg } from '../../../evidence/checked-tests.ts';
import type { PreparedLegs } from './prepared-legs.ts';
import type { LegName, ProbeWalls } from './proof-places.ts';

/** How the checks of a proof are run. */
export interface CheckedHow {
  readonly checks: readonly Check[];
  readonly environment: readonly string[];
  readonly signal: AbortSignal;
  readonly delta: EffectCall['delta'];
  readonly probe?: ProbeWalls | undefined;
}

/** The checks on a tree, and what leads from its dependencies into the workspace. */
export interface RanTree extends TestedLeg {
  readonly levels: LevelResult[];
  readonly checks: readonly CheckResult[];
  readonly pointers: readonly string[];
}

/** Checks out a tree, and runs the checks on it. Null: told to stop. */
export async function ranTree(
  leg: LegName,
  tree: string,
  { place }: Pick<PreparedLegs, 'place'>,
  { checks, environment, signal, delta }: CheckedHow,
): Promise<RanTree | null> {
  const { pointers, ...at } = await place(leg, tree);
  const ran = await runLevels(checks, { ...at, environment, runsAll: leg === 'start' }, { signal, delta });
  return ran && { ...ran, checks: ran.levels.flatMap((level) => level.checks), pointers };
}

export const passes = (levels: readonly LevelResult[]): boolean =>
  levels.length > 0 && levels.every(({ passed }) => passed);
