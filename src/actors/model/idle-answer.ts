import type { EventOf } from '../../../machines/events.ts';
import type { ModelRequest } from './model.ts';
import { isAnnounced } from './call-announcement.ts';
import { writtenCalls } from './written/written-calls.ts';

type Answer = Pick<EventOf<'model.completed'>['payload'], 'text' | 'calls' | 'cut'>;
type Idle = 'empty' | 'promised';

/**
 * Why an answer did nothing: it has no text and no call that may run (`empty`), or it announces a call and makes none
 * (`promised`). Returns null where it did something, or its provider says why it is unfinished. Where no tools are
 * offered, calls are ignored however they are made: without text beside them, the answer is empty.
 */
export function idleness(
  { text, calls, cut }: Answer,
  { tools }: Pick<ModelRequest, 'tools'>,
  endsInCalls: boolean,
): Idle | null {
  if (cut !== undefined || (calls.length > 0 && tools.length > 0)) return null;
  const names = tools.map(({ name }) => name);
  const written = writtenCalls(text, names);
  if (tools.length > 0 && (endsInCalls || written || isAnnounced(text, names))) return 'promised';
  return isSaid(written ? written.before : text) ? null : 'empty';
}

const THOUGHT_BEGINS = '<think>';
const THOUGHT_ENDS = '</think>';
/** A character that is neither blank nor invisible. */
const VISIBLE = /[^\s\p{Cc}\p{Cf}]/u;

/** Tells whether a text has more than reasoning, which some servers leave in the text of an answer. */
function isSaid(text: string): boolean {
  const end = text.lastIndexOf(THOUGHT_ENDS);
  if (end !== -1) return VISIBLE.test(text.slice(end + THOUGHT_ENDS.length));
  return !text.trimStart().startsWith(THOUGHT_BEGINS) && VISIBLE.test(text);
}
