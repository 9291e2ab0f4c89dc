import type { LoopEvent } from '../../../../machines/events.ts';
import type { Fault } from '../../../../machines/outcome.ts';
import type { Isolation } from '../../../../machines/settings.ts';
import type { Execution } from '../../../kernel/effect-handlers.ts';
import type { EffectRequest, EffectWork } from '../effect.ts';

export interface Guard {
  /** Why the effect cannot be carried out. Null: it can. */
  readonly look: (isolation: Isolation) => Promise<Fault | null>;
  /** The event that says so. */
  readonly answer: (fault: Fault, request: EffectRequest) => LoopEvent;
  /** What an effect that changes something may have spoiled. It is recorded as a warning before the effect's result. */
  readonly lookAfter?: (isolation: Isolation, request: EffectRequest) => Promise<Fault | null>;
}

/** Looks at the worktree of an isolated run before each effect, which is not carried out where something is wrong. */
export function inWorktree(execute: NonNullable<EffectWork['execute']>, guard: Guard): EffectWork {
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
  { look, lookAfter, answer }: Guard,
  request: EffectRequest,
): Execution {
  return {
    ...execution,
    async *execute(call) {
      const fault = call.signal.aborted ? null : await look(isolation);
      if (fault) yield answer(fault, request);
      else if (!lookAfter) yield* execution.execute(call);
      else {
        for await (const event of execution.execute(call)) {
          const spoiled = await lookAfter(isolation, request);
          if (spoiled) yield { type: 'warning.raised', payload: spoiled };
          yield event;
        }
      }
    },
  };
}
