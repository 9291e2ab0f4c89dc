import type { RunSettings } from '../../machines/settings.ts';
import { builtInStrategy } from '../strategies/strategy-kinds.ts';
import type { CoderSubject } from './coder-prompt.ts';

/** What no option says: where and when a run begins. */
export type Surroundings = Pick<CoderSubject, 'platform' | 'date' | 'git'>;

/** What the agent of a run is told, by the settings of the run. */
export function coderSubject(
  { directory, checks, strategy, tools, attemptLimits }: RunSettings,
  isProven: boolean,
  surroundings: Surroundings,
): CoderSubject {
  const where = isProven ? 'checkout' : 'workspace';
  return {
    ...surroundings,
    workspace: directory,
    checks: checks.length === 0 ? null : where,
    hasAttempts: attemptLimits !== null,
    signal: (strategy && builtInStrategy(strategy.name)?.signal?.(strategy.config)) ?? null,
    tools,
  };
}
