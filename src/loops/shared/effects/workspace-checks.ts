import type { EventOf, LevelResult } from '../../../../machines/events.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { runLevels } from '../../../actors/verify/verify-actor.ts';
import { checksOfWorkspace } from '../../../config/clean-tree.ts';

/** Adds the checks of the workspace itself to what has passed in the checkout. Null: told to stop. */
export async function withWorkspaceChecks<
  Verified extends Pick<EventOf<'verification.completed'>['payload'], 'passed' | 'levels'>,
>(
  verified: Verified,
  { checks, directory, environment = [] }: RunSettings,
  run: string,
  call: Pick<EffectCall, 'signal' | 'delta'>,
): Promise<Verified | null> {
  const ran = await runLevels(checksOfWorkspace(checks), { run, directory, environment }, call);
  if (ran === null) return null;
  const levels = joinedLevels([...verified.levels, ...ran.levels]);
  return { ...verified, levels, passed: levels.every(({ passed }) => passed) };
}

const joinedLevels = (levels: readonly LevelResult[]): LevelResult[] =>
  [...Map.groupBy(levels, ({ level }) => level)].map(([level, ran]) => ({
    level,
    passed: ran.every(({ passed }) => passed),
    checks: ran.flatMap(({ checks }) => checks),
  }));
