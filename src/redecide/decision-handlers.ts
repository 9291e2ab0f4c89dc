import type { Limits, RunSettings } from '../../machines/settings.ts';
import type { TraitsOf } from '../detectors/traits.ts';
import { inferredTraits } from '../detectors/traits-by-name.ts';
import { JudgeMemory } from '../judging/judge-memory.ts';
import { strategyLimits } from '../judging/judgement.ts';
import { warningOf } from '../judging/near-limit.ts';
import type { Deciding } from '../kernel/call-kinds.ts';
import type { DecidingHandlers } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { builtInNames } from './other-judge.ts';

/** What the decisions of a run need to know of its host. */
export interface DecidingHost extends Partial<Pick<Deciding, 'callKind' | 'isAttended' | 'hasBatches'>> {
  /** Absent: they are inferred from the names of the tools. */
  readonly traits?: TraitsOf;
}

/**
 * Makes the handlers by which a host of one's own decides: they remember the facts of one run, and start nothing. The
 * names in its settings are those of detectors and strategies that ship; it throws for any other.
 *
 * @example
 * const scope = { run, settings, loop, handlers: decidingHandlers(run, settings, loop), redact: asItIs };
 * const { events, state } = opening(scope, opened.state, started);
 */
export function decidingHandlers(
  run: string,
  settings: RunSettings,
  loop: LoopDefinition,
  { traits = inferredTraits, isAttended = false, hasBatches = false, ...host }: DecidingHost = {},
): DecidingHandlers {
  const { detectorsOf, strategyOf, callKind } = builtInNames(traits);
  const { directory } = settings;
  const memory = new JudgeMemory(run, settings, detectorsOf, loop);
  const strategyFor = (configured: RunSettings['strategy'], limits: Limits) =>
    strategyOf({ configured, limits: { ...limits, ...strategyLimits(loop, limits) }, directory });
  let strategy = strategyFor(settings.strategy, settings.limits);
  return {
    observe: (fact) => {
      memory.observe(fact);
      if (fact.type === 'run.continued') strategy = strategyFor(fact.payload.strategy, fact.payload.limits);
    },
    deciding: () => ({ memory, strategy, callKind: host.callKind ?? callKind, isAttended, hasBatches }),
    reserve: (context) => memory.loop.reserve?.(context, memory) ?? null,
    warn: (context) => warningOf(context, memory),
  };
}
