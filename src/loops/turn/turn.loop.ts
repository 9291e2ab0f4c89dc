import type { Reservation, Share, TurnEvent } from '../../../machines/events.ts';
import { turnEntry } from '../../../machines/index.ts';
import { isAskedAgain } from '../../../machines/life.ts';
import type { TurnContext } from '../../../machines/turn.machine.ts';
import { isLimited, leftFor, reservationFor } from '../../budget/allowance.ts';
import type { Situation } from '../../runtime/cast.ts';
import { lifeOf } from '../../runtime/fold.ts';
import type { LoopDefinition } from '../../runtime/loop-definition.ts';
import type { RunMemory } from '../../runtime/loop-memory.ts';
import { admission } from './admission.ts';
import { Transcript } from './conversation.ts';
import { turnDescription } from './description.ts';
import { turnEffects } from './effects.ts';
import { judgeTurn } from './judge.ts';
import { TurnMemory } from './memory.ts';
import { turnRanking } from './ranking.ts';

/** A model and its tools, step by step. */
export const turnLoop: LoopDefinition = {
  ...turnEntry,
  rounds: {
    started: 'step.started',
    begin: (context: TurnContext, { at, reserved }) => ({
      type: 'step.started',
      payload: { step: context.steps, startedAt: at, ...(reserved ? { reserved } : {}) },
    }),
    count: (context: TurnContext) => context.steps,
    used: ({ spend }) => spend.steps,
    counters: ['waits', 'retries'],
    limit: 'steps',
  },
  effects: turnEffects,
  judge: judgeTurn,
  remember: () => new TurnMemory(),
  judgements: { 'calls.admitted': admission },
  reserve,
  spend(event: TurnEvent) {
    if (event.type === 'step.started') return { steps: 1 };
    return event.type === 'calls.admitted' ? { toolCalls: event.payload.run.length } : {};
  },
  setsAside,
  asksAgain: isAskedAgain,
  commands: { 'person.answered': ({ callId }: { callId: string }) => `call ${callId} is not waiting for a person` },
  answered: (callId, given) => ({ type: 'person.answered', payload: { callId, ...given } }),
  conversation: () => new Transcript(),
  settings: { bounds: ['maxSteps', 'maxTokens', 'maxTimeMs'] },
  ranking: turnRanking,
  describe: turnDescription,
};

function setsAside({ type, payload }: TurnEvent): Readonly<Record<string, Share | Reservation>> {
  if (type === 'step.started') return payload.reserved ? { model: payload.reserved } : {};
  if (type !== 'calls.admitted') return {};
  return Object.fromEntries(payload.run.flatMap(({ callId, share }) => (share ? [[`call.${callId}`, share]] : [])));
}

/** What the next answer is expected to use, where tokens or money are limited. */
function reserve({ state }: Situation, { next }: RunMemory): Share | Reservation | null {
  const left = leftFor(lifeOf(state), 'model');
  return isLimited(left) ? reservationFor(left, next) : null;
}
