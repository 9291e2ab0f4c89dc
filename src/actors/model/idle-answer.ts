import type { EventOf } from '../../../machines/events.ts';
import type { ModelRequest } from './model.ts';
import { writtenCalls } from './written/call-grammar.ts';

/** How an agent says that it is about to act. */
const ABOUT_TO =
  /^(?:(?:ok|okay|sure|great|alright|now|next|first|then|so)[,.!]?\s+)*(?:let me (?!know\b)|let's (?:now )?(?:start|begin|run|look|check|call|create|edit|write|read)|i(?:'|’)?(?:ll| will| am going to|'m going to|’m going to) (?:now|start by|begin by|first)\b|now,? i(?:'|’)?(?:ll| will)\b|calling (?:the )?`?[\w.-]+`? tool)/i;
const BLOCK_OF_JSON = /```(?:json|tool_call|tool|tool_code)?\s*\n\s*(\{[\s\S]{0,20000}\})\s*\n?```\s*$/;
const NAMED_IN_JSON = /^\{\s*"(?:tool|name|function|tool_name|action)"\s*:\s*"([\w.-]+)"/;
const INVOKED = /<invoke\s+name=["']([\w.-]+)["']\s*>[\s\S]{0,20000}(?:<\/invoke>|<\/\w+>)\s*$/;
const AS_FUNCTION = /(?:^|\n)`{0,3}([A-Za-z_][\w.-]*)\(\s*(?:[\w-]+\s*[=:]\s*["'[{\d]|\{)[^\n]{0,4000}\)`{0,3};?\s*$/;
/** The end of an answer, where a call or its announcement would be. */
const MAX_END_CHARS = 24_000;

/**
 * Tells whether an answer ends by announcing a call and makes none: its last sentence says what the agent is about to
 * do, or it writes a call of an offered tool in a way that no family of models is known for.
 *
 * @example
 * isAnnounced('Let me run the tests:', ['shell']); // true
 * isAnnounced('Done. Let me know if anything is missing.', ['shell']); // false
 */
export function isAnnounced(answer: string, tools: readonly string[]): boolean {
  const text = answer.trim().slice(-MAX_END_CHARS);
  const json = BLOCK_OF_JSON.exec(text)?.[1];
  const named = [
    json === undefined ? undefined : NAMED_IN_JSON.exec(json)?.[1],
    INVOKED.exec(text)?.[1],
    AS_FUNCTION.exec(text)?.[1],
  ];
  return named.some((name) => name !== undefined && tools.includes(name)) || ABOUT_TO.test(lastSentence(text));
}

function lastSentence(text: string): string {
  const line = text.slice(text.lastIndexOf('\n') + 1).trim();
  const sentences = line.split(/(?<=[.!?])\s+/);
  return (sentences.at(-1) ?? '').replace(/^[\s>*_#-]+/, '');
}

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
