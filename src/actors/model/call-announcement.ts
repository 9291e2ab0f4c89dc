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
