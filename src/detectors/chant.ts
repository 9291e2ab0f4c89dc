import { z } from 'zod';
import type { Finding } from '../../machines/outcome.ts';
import { whole, wholeWithin } from '../strategies/numbers.ts';
import { RepetitionListener, type ListenerState } from './repetition-listener.ts';
import { type Detector, eventId, type LoggedEvent, type Noticed } from './detector.ts';
import { ANSWERS } from './answer-by-answer.ts';
import { detectorKind } from './detector-kind.ts';
import type { RepetitionRule } from './window-repeats.ts';
import { isFreshStart } from './fresh-start.ts';

export interface RepetitionState {
  /** The text since the last call, list item, code block or the like. */
  readonly said: ListenerState;
  /** The event of the first repetition, of which the model was told. It is told once. */
  readonly nudged: string | null;
}

/** Receives an answer while it streams. */
export interface Listener {
  /** Whether the answer is to be ended after this piece. */
  add(piece: string): boolean;
}

/** A detector that can watch an answer while it streams, so that a repetition need not be read to its end. */
export interface ListeningDetector<State> extends Detector<State> {
  readonly listener: () => Listener;
}

const CONFIG = z
  .strictObject({
    length: wholeWithin(10, 1_000, 'characters').default(50),
    times: wholeWithin(3, 100, 'times').default(10),
    distance: whole(1, 'characters').default(250),
    distinct: whole(1, 'texts').default(5),
    history: wholeWithin(100, 20_000, 'characters').default(5_000),
  })
  .superRefine(({ length, times, distance, history }, context) => {
    const span = distance * (times - 1) + length;
    if (span <= history) return;
    const message = `at least ${span} characters: the first of ${times} may lie that far back`;
    context.addIssue({ code: 'custom', path: ['history'], message });
  });

/** The types of events that bring what the model says. */
const SPEECH: ReadonlySet<LoggedEvent['type']> = new Set([...ANSWERS, 'model.interrupted']);

const NOTHING_SAID: ListenerState = { text: '', fence: null };

/**
 * D2b: the model repeats the same text. The first time the model is told, the second time the run is stopped. A call
 * ends the text that is looked at; only a user message makes the next repetition the first again.
 */
export function chant(rule: RepetitionRule = CONFIG.parse({})): ListeningDetector<RepetitionState> {
  return {
    name: 'chant',
    init: () => ({ said: NOTHING_SAID, nudged: null }),
    sees: SPEECH,
    step: (before, event): Noticed<RepetitionState> => {
      if (isFreshStart(event)) return { state: { said: NOTHING_SAID, nudged: null } };
      if (event.type === 'model.interrupted' && event.payload.cause === 'chant') return found(before, event, rule);
      if (event.type !== 'model.completed') return { state: before };
      const { text, calls, cut } = event.payload;
      const listener = new RepetitionListener(rule, before.said);
      listener.add(text);
      if (listener.endLine()) return found(before, event, rule);
      const { state: soFar } = listener;
      const said =
        calls.length > 0 ? NOTHING_SAID : { text: soFar.text, fence: cut === undefined ? null : soFar.fence };
      return { state: { ...before, said } };
    },
    listener: () => new RepetitionListener(rule),
  };
}

function found({ nudged }: RepetitionState, event: LoggedEvent, { times }: RepetitionRule): Noticed<RepetitionState> {
  const id = eventId(event);
  const finding: Finding = {
    detector: 'chant',
    level: nudged === null ? 'nudge' : 'stop',
    count: times,
    message: 'an answer repeats the same text',
    evidence: nudged === null ? [id] : [nudged, id],
  };
  return { state: { said: NOTHING_SAID, nudged: nudged ?? id }, finding };
}

/** The detector that watches answers while they stream; undefined where none does. */
export const listeningDetector = (detectors: readonly Detector[]): ListeningDetector<unknown> | undefined =>
  detectors.find((detector): detector is ListeningDetector<unknown> => 'listener' in detector);

export const chantKind = detectorKind({
  name: 'chant',
  row: 'D2b',
  notices: 'the text of an answer repeats itself; noticed while it streams',
  config: CONFIG,
  create: (config) => chant(config),
});
