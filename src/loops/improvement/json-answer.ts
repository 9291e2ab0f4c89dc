import { jsonIn } from '../../text/json-in.ts';

const OPENING = /^```(?:json)?[^\S\n]*\n/;
const CLOSING = '```';

/**
 * The JSON that an answer of a model consists of, alone or in one block of code. Undefined: it says anything else, and
 * is not guessed at.
 */
export function jsonAnswer(answer: string): unknown {
  const text = answer.trim();
  const opening = OPENING.exec(text)?.[0];
  const isFenced = opening !== undefined && text.endsWith(CLOSING) && text.length >= opening.length + CLOSING.length;
  return jsonIn(isFenced ? text.slice(opening.length, -CLOSING.length) : text);
}
