import type { LoopEvent } from '../../../machines/events.ts';
import { answererOf } from '../../../machines/index.ts';
import type { Execution } from '../../kernel/effect-handlers.ts';
import type { RunState } from '../../kernel/fold.ts';
import { interruption } from '../../kernel/run-message.ts';
import { specOf } from '../../kernel/loop-definition.ts';
import type { Outstanding } from '../../kernel/outstanding-effects.ts';
import type { RunScope } from '../../kernel/react.ts';
import { lifeOf } from '../../kernel/fold.ts';
import { faultOfHandler, handlerFault, noEvent, WrongAnswer } from '../../runtime/handler-fault.ts';
import { recoveryOfLost } from '../../runtime/recovery.ts';

/** What an effect came to: its events, or why it could not be performed. Journaled. */
export interface Performed {
  readonly run: string;
  readonly effect: string;
  readonly events: readonly LoopEvent[];
  /** `environment`: the system has too little of something. `error`: the effect, or its handler, is at fault. */
  readonly fault: { readonly kind: 'environment' | 'error'; readonly reason: string } | null;
}

export interface Performing {
  readonly scope: RunScope;
  readonly state: RunState;
  readonly one: Outstanding;
  readonly execution: Extract<Execution, { kind: 'actor' }>;
  readonly signal: AbortSignal;
  /** Another attempt has begun with it, and was lost. */
  readonly isLost: boolean;
}

/** Tells whether an effect needs a mark before it begins: it is not simply started again where it was lost. */
export const needsMark = ({ effectClass }: Performing['execution'], one: Outstanding, { loop }: RunScope): boolean =>
  effectClass !== 'repeatable' || specOf(one, loop).spends === true;

/** Performs an effect, or records it as lost. It never throws. */
export async function perform(performing: Performing): Promise<Performed> {
  const { scope, state, one, signal, isLost } = performing;
  const about = { run: scope.run, effect: one.effect };
  try {
    const lost = isLost ? await recoveryOfLost(scope, state, one) : null;
    if (lost) return { ...about, events: [lost], fault: null };
    return { ...about, events: await eventsOf(performing), fault: null };
  } catch (error) {
    const fault = faultOfHandler(error, one, scope.loop);
    if (fault) return { ...about, events: [], fault: { kind: 'environment', reason: fault.message } };
    if (signal.aborted) return { ...about, events: stopped(performing), fault: null };
    return { ...about, events: [], fault: { kind: 'error', reason: handlerFault(error, one, scope.loop) } };
  }
}

async function eventsOf(performing: Performing): Promise<readonly LoopEvent[]> {
  const { scope, state, one, execution, signal } = performing;
  const { entry } = state;
  const call = { id: `${scope.run}/${one.effect}`, attempt: one.attempt, signal, delta: () => {} };
  const events: LoopEvent[] = [];
  for await (const event of execution.execute(call)) {
    const parsed = entry.events.safeParse(event);
    if (!parsed.success) throw new WrongAnswer(noEvent(event, parsed.error, entry, specOf(one, scope.loop).answers));
    events.push(parsed.data as LoopEvent);
  }
  if (events.some((event) => answererOf(entry, event) === one.key)) return events;
  if (!signal.aborted) throw new WrongAnswer('it ended without a result');
  return [...events, ...stopped(performing)];
}

/** An abort needs a final event of every effect. A pause leaves outstanding what can be started again. */
function stopped({ scope, state, one, execution, signal }: Performing): readonly LoopEvent[] {
  if (signal.reason === 'pause' && execution.effectClass !== 'once') return [];
  const event = interruption(one, 'it was told to stop', lifeOf(state), scope.loop);
  return event ? [event] : [];
}
