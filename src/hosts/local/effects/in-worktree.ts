import type { LoopEvent } from '../../../../machines/events.ts';
import type { Fault } from '../../../../machines/outcome.ts';
import type { Isolation } from '../../../../machines/settings.ts';
import type { Execution } from '../../../kernel/effect-handlers.ts';
import type { EffectRequest, LocalEffect } from './local-effect.ts';

export interface Guard {
  /** Why the effect cannot be carried out. Null: it can. */
  readonly look: (isolation: Isolation) => Promise<Fault | null>;
  /** The event that says so. */
  readonly answer: (fault: Fault, request: EffectRequest) => LoopEvent;
}

/** Looks at the worktree of an isolated run before each effect, which is not carried out where something is wrong. */
export function inWorktree(execute: NonNullable<LocalEffect['execute']>, guard: Guard): LocalEffect {
  return {
    execute: (request) => {
      const execution = execute(request);
      const { isolation } = request.context.settings;
      return isolation && execution.kind === 'actor' ? guarded(execution, isolation, guard, request) : execution;
    },
  };
}

function guarded(
  execution: Extract<Execution, { kind: 'actor' }>,
  isolation: Isolation,
  { look, answer }: Guard,
  request: EffectRequest,
): Execution {
  return {
    ...execution,
    async *execute(call) {
      const fault = call.signal.aborted ? null : await look(isolation);
      if (fault) yield answer(fault, request);
      else yield* execution.execute(call);
    },
  };
}
