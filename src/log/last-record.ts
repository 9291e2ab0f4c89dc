import { jsonIn } from '../text/json-in.ts';

/** What ends a run in every loop: its strategy was told, after the decision that names the ending. */
export const LAST = 'strategy.ended';
/** The event whose `sink` names an ending. */
export const DECISION = 'decision.made';

/** The last event that a run wrote itself. */
export interface LastEvent {
  readonly type: string;
  readonly mark: string | null;
}

/**
 * The ending of a run, by its last event and its newest decision, both of which the hash chain covers; null while it is
 * open. `noted`: what its writer noted beside the events. It names no ending: it only says that a chart which ends by
 * another event has ended, so that its decision counts. `decision`: the payload of the newest one, null where there is
 * none or its content was forgotten.
 */
export function endingOf(last: LastEvent, noted: string | null, decision: () => string | null): string | null {
  if (last.type !== LAST && noted === null) return null;
  const text = decision();
  if (text === null) return last.type === LAST ? noted : null;
  const ending = endingIn(text);
  const isBefore = last.type !== LAST && last.mark !== null && positionIn(last.mark) !== `${ending}/0`;
  return isBefore ? null : ending;
}

/** Behind it, a mark may have a digest of what its machine remembers. */
const positionIn = (mark: string): string | undefined => mark.split('#')[0];

function endingIn(decision: string): string | null {
  const { sink } = Object(jsonIn(decision)) as { readonly sink?: unknown };
  const { ending } = Object(sink) as { readonly ending?: unknown };
  return typeof ending === 'string' ? ending : null;
}
