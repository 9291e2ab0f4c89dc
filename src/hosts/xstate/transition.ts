import type { ActorScope, AnyActorRef, EventObject } from 'xstate';
import type { LoopCommand, LoopEmitted, LoopNotice, LoopContext, LoopSnapshot } from './loop-snapshot.ts';

export type AnySystem = AnyActorRef['system'];
export type LoopScope = ActorScope<LoopSnapshot, LoopCommand | LoopNotice, AnySystem, LoopEmitted>;

/** The side effects that a transition defers to its actor. */
export interface LoopEffects {
  readonly command: (command: LoopCommand) => void;
  readonly stop: () => void;
}

/**
 * The next snapshot. Pure: side effects are deferred to the actor, and a transition that is only computed has none.
 */
export function transition(
  snapshot: LoopSnapshot,
  event: LoopCommand | LoopNotice,
  scope: LoopScope,
  effects: LoopEffects,
): LoopSnapshot {
  if (snapshot.status !== 'active') return snapshot;
  if ((event as EventObject).type === 'xstate.stop') {
    scope.defer(effects.stop);
    return { ...snapshot, status: 'stopped' };
  }
  switch (event.type) {
    case 'loopfold.recorded': {
      const { fact, status } = event;
      if (status.version <= snapshot.context.version) return snapshot;
      scope.defer(() => scope.emit({ type: 'fact', fact }));
      const { value, ...known } = status;
      return { ...within(snapshot, { ...known, options: null }), value };
    }
    case 'loopfold.served':
      return within(snapshot, { servedBy: event.by });
    case 'loopfold.asked':
      return within(snapshot, { questions: event.questions });
    case 'loopfold.refused': {
      const { command, reason } = event;
      scope.defer(() => scope.emit({ type: 'refused', command, reason }));
      return snapshot;
    }
    case 'loopfold.ended':
      return { ...snapshot, status: 'done', output: event.output, context: { ...snapshot.context, questions: [] } };
    case 'loopfold.failed':
      return { ...snapshot, status: 'error', error: event.error };
    case 'answer':
    case 'grant':
    case 'steer':
    case 'pause':
    case 'resume':
    case 'abort':
      scope.defer(() => effects.command(event));
      return snapshot;
    default:
      return snapshot;
  }
}

const within = (snapshot: LoopSnapshot & { status: 'active' }, news: Partial<LoopContext>): LoopSnapshot => ({
  ...snapshot,
  context: { ...snapshot.context, ...news },
});
