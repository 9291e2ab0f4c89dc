import { dropMirrors } from '../../actors/proof/mirror.ts';
import type { Limits, RunSettings } from '../../../machines/settings.ts';
import { warningOf } from '../../judging/near-limit.ts';
import type { EffectHandlers, RunContext } from '../../kernel/effect-handlers.ts';
import type { Outstanding } from '../../kernel/fold.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { effectHandlers } from '../../loops/find-handler.ts';
import { noticedInFile } from '../../loops/ralph/effects/keep-state-file.ts';
import { HandlerMemory } from '../../loops/shared/handler-memory.ts';
import { strategyLimits } from '../../judging/judgement.ts';
import type { Services } from '../../ports/services.ts';
import { keepsStateFile } from '../../loops/loop-abilities.ts';

/**
 * The effect handlers of one run on this machine: what it remembers of its log, its strategy, and the handler table.
 */
export function localHandlers(
  run: string,
  settings: RunSettings,
  loop: LoopDefinition,
  services: Services,
): EffectHandlers {
  const memory = new HandlerMemory(run, settings, services.detectorsOf, loop);
  const handlerOf = effectHandlers(services);
  const strategyFor = (configured: RunSettings['strategy'], limits: Limits) =>
    services.strategies.of({ configured, limits: strategyLimits(loop, limits), directory: settings.directory });
  let strategy = strategyFor(settings.strategy, settings.limits);
  const requestOf = (effect: Outstanding, context: RunContext) => ({ effect, context, memory, strategy });
  return {
    observe: (fact) => {
      memory.observe(fact);
      if (fact.type === 'run.continued') strategy = strategyFor(fact.payload.strategy, fact.payload.limits);
    },
    deciding: () => ({
      memory: memory.judge,
      strategy,
      callKind: services.callKind,
      isAttended: services.attendant !== null,
      hasBatches: services.batch !== null,
    }),
    reserve: (context) => memory.loop.reserve?.(context, memory.judge) ?? null,
    warn: (context) => warningOf(context, memory.judge),
    execute: (effect, context) => {
      const request = requestOf(effect, context);
      const { execute } = handlerOf(request);
      if (execute) return execute(request);
      throw new Error(`${memory.loop.id} starts ${effect.actor}, and no handler executes it: add one to its handlers`);
    },
    hindrance: (context) => {
      for (const effect of context.state.outstanding) {
        const request = requestOf(effect, context);
        const event = handlerOf(request).hindrance?.(request) ?? null;
        if (event) return event;
      }
      return null;
    },
    notice: (context) => (keepsStateFile(memory.loop) ? noticedInFile({ context, memory }, services.stateFiles) : null),
    answer: () => memory.answer(),
    text: () => memory.text(),
    steering: () => memory.steering,
    release: () => {
      void services.strategies.release(strategy);
      return dropMirrors(run);
    },
  };
}
