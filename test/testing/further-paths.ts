import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { Loop } from '../support/facts.ts';
import type { OpenedPath } from '../../src/testing/paths.ts';
import * as has from '../support/facts.ts';
import * as night from '../support/improvement-answers.ts';
import { furtherRalphWays } from './further-ralph-paths.ts';

const USAGE = { inputTokens: 900, outputTokens: 0, estimated: true } as const;

const asking = [has.decidedToGoOn, has.stepStarted(0)];
const askedFor = has.modelAskedFor('0.0') as EventOf<'model.completed'>;
const cutShort: LoopEvent = { type: 'model.completed', payload: { ...askedFor.payload, cut: 'length' } };
const handedOver = [...asking, askedFor, has.callsAdmitted('0.0>')];
const lostWork = {
  type: 'tool.interrupted',
  payload: { callId: '0.0', reason: 'told to stop', usage: USAGE },
} as const;

const attempting = [has.decidedToGoOn, has.iterationStarted(0)];
const lostAttempt: LoopEvent = {
  type: 'effect.interrupted',
  payload: { actor: 'agent', reason: 'told to stop', usage: USAGE },
};

/** Ways that are not the shortest to anything, on which something else is seen to hold. */
export const furtherWays: Readonly<Record<Loop, Readonly<Record<string, OpenedPath>>>> = {
  turn: {
    'an answer that was ended early asks for calls all the same': checked(...asking, cutShort),
    'a tool declares the work finished while the run is being aborted': checked(
      ...asking,
      askedFor,
      has.callsAdmitted('0.0'),
      has.abortRequested(),
      has.toolFinished('0.0'),
    ),
    'work that was delegated is lost: what was set aside for it counts': checked(...handedOver, lostWork),
    'work that was delegated is lost while the run is being aborted': checked(
      ...handedOver,
      has.abortRequested(),
      lostWork,
    ),
  },
  iteration: {
    'an attempt is lost while the run is being aborted': checked(...attempting, has.abortRequested(), lostAttempt),
    'an attempt ends while it waits for a person': checked(...attempting, has.attemptAsked, has.attemptSettled()),
    'the grace runs out over the capture of an attempt that succeeded': checked(
      ...attempting,
      has.attemptSettled(),
      has.abortRequested(),
      has.timerFired('grace'),
    ),
  },
  ralph: furtherRalphWays,
  improvement: {
    'an experiment ends while it waits for a person': checked(
      ...attempting,
      night.discovered([night.discovery('a')]),
      night.filtered([night.discovery('a')]),
      has.decidedToGoOn,
      night.experimentStarted('a'),
      { type: 'plans.written', payload: { plans: [], by: 'calls' } },
      night.prepared('a'),
      has.attemptAsked,
      has.attemptSettled(),
    ),
  },
};

function checked(...events: readonly LoopEvent[]): OpenedPath {
  return { opening: 'checked', events };
}
