import type { LoopEvent } from '../../machines/events.ts';
import { Ending } from '../../machines/outcome.ts';
import * as has from './facts.ts';

/** A history that leads to each state where a run can rest, by the name of the innermost state. */
export type Places = Readonly<Record<string, readonly LoopEvent[]>>;

const asking = [has.turnStarted({ checks: true }), has.decidedToGoOn, has.stepStarted(0)];
const admitting = [...asking, has.modelAskedFor('0.0', '0.1')];
const capturing = [...asking, has.modelAnswered];

export const turnPlaces: Places = {
  'decide.judging': asking.slice(0, 1),
  'stream.asking': asking,
  'stream.waiting': [...asking, has.modelLimited()],
  'stream.compacting': [...asking, has.contextFilled],
  'tools.admitting': admitting,
  'tools.running': [...admitting, has.callsAdmitted('0.0', '0.1')],
  'tools.awaitingPerson': [...admitting, has.callsAdmitted('0.0?', '0.1?')],
  'verify.baseline': [has.turnStarted({ checks: true, proof: true }), has.decidedToGoOn],
  'verify.capturing': capturing,
  'verify.checking': [...capturing, has.workspaceCaptured()],
  'verify.disputed': [...capturing, has.workspaceCaptured(), has.disputed('grounds-1')],
  'decide.aborting': [...asking, has.abortRequested()],
  ...lastPlaces(asking.slice(0, 1)),
};

const attempting = [has.loopStarted({ checks: true }), has.decidedToGoOn, has.iterationStarted(0)];
const attempted = [...attempting, has.attemptSettled()];

export const iterationPlaces: Places = {
  'decide.judging': attempting.slice(0, 1),
  stream: attempting,
  tools: attempted,
  'verify.baseline': [has.loopStarted({ checks: true, proof: true }), has.decidedToGoOn],
  'verify.checking': [...attempted, has.workspaceCaptured()],
  'verify.disputed': [...attempted, has.workspaceCaptured(), has.disputed('grounds-1')],
  'decide.aborting': [...attempting, has.abortRequested()],
  ...lastPlaces(attempting.slice(0, 1)),
};

function lastPlaces(judging: readonly LoopEvent[]): Places {
  const ending = [...judging, has.decidedToEnd('cap_hit')];
  const farewell = [...ending, has.summaryWritten];
  const endedIn = (name: Ending) => [...judging, has.decidedToEnd(name), has.timerFired('ending')];
  return {
    'decide.ending.summarising': ending,
    'decide.ending.farewell': farewell,
    ...Object.fromEntries(Ending.options.map((name) => [name, endedIn(name)])),
  };
}

/** States that a run passes through and never rests in. */
export const passing: readonly string[] = ['decide.ending.ended', 'verify.choosing'];
export const isFinal = (place: string): boolean => (Ending.options as readonly string[]).includes(place);

export function wayTo(places: Places, place: string): readonly LoopEvent[] {
  const history = places[place];
  if (!history) throw new Error(`no history leads to ${place}`);
  return history;
}
