import { jsonIn } from '../../text/json-in.ts';

const FENCED = /^```(?:json)?\s*\n([\s\S]*?)\n?```$/;

/**
 * The JSON that an answer of a model consists of, alone or in one block of code. Undefined: it says anything else, and
 * is not guessed at.
 */
export function jsonAnswer(answer: string): unknown {
  const text = answer.trim();
  return jsonIn(FENCED.exec(text)?.[1] ?? text);
}
