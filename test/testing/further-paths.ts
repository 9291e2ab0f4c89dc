import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { Loop } from '../support/facts.ts';
import type { Ending } from '../../machines/outcome.ts';
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

const plansWritten: LoopEvent = { type: 'plans.written', payload: { plans: [], by: 'calls' } };
const three = [
  night.discovered(['a', 'b', 'c'].map((id) => night.discovery(id))),
  night.filtered(['a', 'b', 'c'].map((id) => night.discovery(id))),
];
const found = [night.discovered([night.discovery('a'), night.discovery('b')]), filteredBoth()];
const begun = (candidate: string, spares: readonly string[] = []): LoopEvent =>
  night.experimentStarted({ queue: [candidate], spares });
const experimenting = [...attempting, ...found, has.decidedToGoOn, begun('a'), plansWritten, night.prepared('a')];
const lane = (event: LoopEvent, candidate: string): LoopEvent => has.inLane(event, candidate);
const settled = (candidate: string, ending: Ending = 'success'): LoopEvent =>
  lane(has.attemptSettled(has.outcomeOf(ending)), candidate);
const failed = (candidate: string): LoopEvent =>
  lane(has.attemptSettled(has.abortedBy('error', { code: 'broken', message: 'it broke' })), candidate);

function filteredBoth(): LoopEvent {
  return night.filtered([night.discovery('a'), night.discovery('b')]);
}

/** Two experiments that work side by side. */
const bothBegin = [
  ...attempting,
  ...found,
  has.decidedToGoOn,
  begun('a'),
  begun('b'),
  plansWritten,
  night.prepared('a'),
];
const both = [...bothBegin, night.prepared('b')];
const firstWins = [settled('a'), night.built('a'), night.evaluated('a', true)];
const atOnce = (...events: readonly LoopEvent[]): OpenedPath => ({
  opening: 'two at once',
  events: [...both, ...events],
});

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
      ...experimenting,
      lane(has.attemptAsked, 'a'),
      settled('a'),
    ),
    'an experiment is lost while the run is being aborted': checked(
      ...experimenting,
      has.abortRequested(),
      lane(lostAttempt, 'a'),
    ),
    'the first wins: the second is stopped, its cost counts, and it is tried anew where nothing is kept': atOnce(
      ...firstWins,
      settled('b', 'abort'),
      night.notIntegrated('a'),
      has.decidedToGoOn,
      begun('b'),
      plansWritten,
      night.prepared('b'),
    ),
    'the second is built when the first wins: it is evaluated where nothing is kept': atOnce(
      settled('b'),
      ...firstWins,
      night.notIntegrated('a'),
      has.decidedToGoOn,
      begun('b', ['b']),
      plansWritten,
      night.evaluated('b', false),
    ),
    'another begins beside what is built: it gets its worktree first': {
      opening: 'two at once',
      events: [
        ...attempting,
        ...three,
        has.decidedToGoOn,
        begun('a'),
        begun('b'),
        plansWritten,
        night.prepared('a'),
        night.prepared('b'),
        settled('b'),
        ...firstWins,
        night.notIntegrated('a'),
        has.decidedToGoOn,
        begun('b', ['b']),
        begun('c'),
        plansWritten,
        night.prepared('c'),
        night.evaluated('b', false),
      ],
    },
    'the second cannot be tried, and the first works on': {
      opening: 'two at once',
      events: [
        ...bothBegin,
        { type: 'experiment.refused', payload: { candidate: 'b', fault: { code: 'broken', message: 'it broke' } } },
        settled('a'),
      ],
    },
    'where a person decides about each change, an error ends the iteration all the same': {
      opening: 'approved',
      events: [...attempting, ...found, has.decidedToGoOn, begun('a'), night.prepared('a'), failed('a')],
    },
    'the second is built before the first, is refused after it, and ends the iteration': atOnce(
      settled('b'),
      settled('a'),
      night.evaluated('a', false),
      night.evaluated('b', false),
    ),
    'the second fails by an error: it counts when it is its turn': atOnce(
      failed('b'),
      settled('a'),
      night.evaluated('a', false),
    ),
    'the first fails by an error: the second is stopped': atOnce(failed('a'), lane(lostAttempt, 'b')),
    'both wait for a person, and one goes on': atOnce(
      lane(has.attemptAsked, 'a'),
      lane(has.attemptAsked, 'b'),
      has.resumed(60_000),
      lane(has.attemptAnswered, 'b'),
      settled('b'),
      settled('a'),
    ),
    'the run is aborted while two work': atOnce(has.abortRequested(), settled('b', 'abort'), settled('a', 'abort')),
    'a person aborts the second: the loop is aborted': atOnce(settled('b', 'abort'), settled('a', 'abort')),
  },
  contest: {},
};

function checked(...events: readonly LoopEvent[]): OpenedPath {
  return { opening: 'checked', events };
}
