import { z } from 'zod';
import type { Finding } from '../../machines/outcome.ts';
import { whole, wholeWithin } from '../strategies/numbers.ts';
import { ChantListener, type HeardSoFar } from './chant-listener.ts';
import { type Detector, eventId, type LoggedEvent, type Noticed } from './detector.ts';
import { detectorKind } from './kind.ts';
import type { ChantRule } from './repeated-windows.ts';
import { isUserMessage } from './user-message.ts';

export interface Chant {
  /** What has been said since the last call, list item, code block or the like. */
  readonly heard: HeardSoFar;
  /** The chant that the model was told of; it is not told twice. */
  readonly told: string | null;
}

/** Hears an answer while it comes. */
export interface Listener {
  /** Whether it is to be ended with this. */
  hear(piece: string): boolean;
}

/** Whoever streams an answer may listen along, and need not hear a chant to its end. */
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
    const message = `at least ${span} characters: so far back may the first of ${times} lie`;
    context.addIssue({ code: 'custom', path: ['history'], message });
  });

const SILENCE: HeardSoFar = { text: '', fence: null };

/**
 * D2b: the model says the same over and over. First it is told, then the run is stopped. A call ends what was said; only
 * a person's word makes the second chant of a turn the first again.
 */
export function chant(rule: ChantRule = CONFIG.parse({})): ListeningDetector<Chant> {
  return {
    name: 'chant',
    init: () => ({ heard: SILENCE, told: null }),
    step: (before, event): Noticed<Chant> => {
      if (isUserMessage(event)) return { state: { heard: SILENCE, told: null } };
      if (event.type === 'model.interrupted' && event.payload.cause === 'chant') return found(before, event, rule);
      if (event.type !== 'model.completed') return { state: before };
      const { text, calls, cut } = event.payload;
      const listener = new ChantListener(rule, before.heard);
      listener.hear(text);
      if (listener.endLine()) return found(before, event, rule);
      const { soFar } = listener;
      const heard = calls.length > 0 ? SILENCE : { text: soFar.text, fence: cut === undefined ? null : soFar.fence };
      return { state: { ...before, heard } };
    },
    listener: () => new ChantListener(rule),
  };
}

function found({ told }: Chant, event: LoggedEvent, { times }: ChantRule): Noticed<Chant> {
  const id = eventId(event);
  const finding: Finding = {
    detector: 'chant',
    level: told === null ? 'nudge' : 'stop',
    count: times,
    message: 'an answer says the same over and over',
    evidence: told === null ? [id] : [told, id],
  };
  return { state: { heard: SILENCE, told: told ?? id }, finding };
}

/** Whoever among these listens while an answer comes. */
export const listening = (detectors: readonly Detector[]): ListeningDetector<unknown> | undefined =>
  detectors.find((detector): detector is ListeningDetector<unknown> => 'listener' in detector);

export const chantKind = detectorKind({
  name: 'chant',
  config: CONFIG,
  create: (config) => chant(config),
});
