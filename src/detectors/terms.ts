import type { LoggedEvent } from './detector.ts';

/** Something that happened in a loop of any kind, in the terms of detectors. */
export type DetectorTerm =
  /** A new round begins. */
  | { readonly kind: 'round'; readonly number: number }
  /** The loop produced text, and perhaps asked for actions. Their ids are unique within a run. */
  | { readonly kind: 'message'; readonly text: string; readonly actions?: readonly DetectorAction[] }
  /** The result of an action. */
  | { readonly kind: 'result'; readonly action: string; readonly output: string; readonly failed: boolean }
  /** The recorded event is one that detectors know; it is shown to them unchanged. */
  | { readonly kind: 'as recorded' };

export interface DetectorAction {
  readonly id: string;
  readonly name: string;
  readonly arguments: Extract<LoggedEvent, { type: 'model.completed' }>['payload']['calls'][number]['arguments'];
}

/** The events that detectors fold instead of a loop's own event: with its run and version, so that findings cite it. */
export const termsAsFacts = (terms: readonly DetectorTerm[], fact: LoggedEvent): LoggedEvent[] =>
  terms.map((term) => asFact(term, fact));

function asFact(term: DetectorTerm, fact: LoggedEvent): LoggedEvent {
  const { run, version } = fact;
  switch (term.kind) {
    case 'as recorded':
      return fact;
    case 'round':
      return { run, version, type: 'iteration.started', payload: { iteration: term.number, startedAt: NO_TIME } };
    case 'message': {
      const calls = (term.actions ?? []).map(({ id, name, arguments: given }) => {
        return { callId: id, providerId: null, tool: name, arguments: given };
      });
      return { run, version, type: 'model.completed', payload: { text: term.text, calls, usage: NO_USAGE } };
    }
    case 'result': {
      const { action: callId, output, failed } = term;
      if (!failed) return { run, version, type: 'tool.completed', payload: { callId, output } };
      return { run, version, type: 'tool.failed', payload: { callId, fault: { code: 'failed', message: output } } };
    }
  }
}

/** No detector reads the time. */
const NO_TIME = '1970-01-01T00:00:00.000Z';
const NO_USAGE = { inputTokens: 0, outputTokens: 0 };
