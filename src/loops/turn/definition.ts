import { turnEntry } from '../../../machines/index.ts';
import { isAskedAgain } from '../../../machines/life.ts';
import type { TurnContext } from '../../../machines/turn.machine.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { groundsCommands, groundsRuling } from '../grounds-questions.ts';
import { admission } from './admission.ts';
import { Transcript } from './conversation.ts';
import { personAnswer } from '../call-permissions.ts';
import { turnDescription } from './description.ts';
import { turnEffects } from './effects.ts';
import { judgeTurn } from './judge.ts';
import { TurnMemory } from './memory.ts';
import { turnRanking } from './ranking.ts';
import { reserve, setsAside, spend } from './reservations.ts';

/** The loop of a model and its tools, step by step. */
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
    counters: ['waits', 'retries', 'reports'],
    limit: 'steps',
  },
  effects: turnEffects,
  judge: judgeTurn,
  remember: (_run, settings) => new TurnMemory(settings),
  judgements: { 'calls.admitted': admission },
  reserve,
  spend,
  setsAside,
  asksAgain: isAskedAgain,
  commands: {
    ...groundsCommands,
    'person.answered': ({ callId }: { callId: string }) => `call ${callId} is not waiting for a person`,
    'server.answered': ({ callId }: { callId: string }) => `call ${callId} is not waiting for a person`,
  },
  answered: (callId, given) =>
    groundsRuling(callId, given) ??
    (given.form
      ? { type: 'server.answered', payload: { callId, answer: given.answer, form: given.form } }
      : { type: 'person.answered', payload: { callId, ...personAnswer(given) } }),
  conversation: () => new Transcript(),
  settings: { bounds: ['maxSteps', 'maxTokens', 'maxTimeMs'] },
  ranking: turnRanking,
  describe: turnDescription,
};
