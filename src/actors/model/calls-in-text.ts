import type { ToolSpec } from '../tool-spec.ts';
import { continuityOf, partsOf } from './continuity.ts';
import type { ModelAnswer, ModelRequest, RequestedCall } from './model.ts';
import { typedArguments } from './written/argument-types.ts';
import type { WrittenCall } from './written/format.ts';
import { writtenCalls } from './written/call-grammar.ts';

/**
 * The answer with the calls that its model wrote as text. Returns null where it has none that may be taken: the family
 * of the model is known to write so, every tool is offered, and the arguments can be read.
 */
export function withCallsInText(answer: unknown, { tools }: ModelRequest, model: string): ModelAnswer | null {
  if (!isTextOnly(answer) || tools.length === 0) return null;
  const written = writtenCalls(
    answer.text,
    tools.map(({ name }) => name),
  );
  if (!written?.calls || !written.format.families.test(familyName(answer.model ?? model))) return null;
  const calls = written.calls.map((call) => requested(call, tools));
  if (calls.some((call) => call === null)) return null;
  const { before: text } = written;
  const { continuity: given, ...rest } = answer;
  const thoughts = partsOf(given).filter(({ part }) => part === 'reasoning');
  const continuity = continuityOf([
    ...thoughts,
    { part: 'text', characters: text.length },
    ...calls.map((_, index) => ({ part: 'call' as const, index })),
  ]);
  return {
    ...rest,
    text,
    calls: calls.filter((call) => call !== null),
    ...(continuity === null ? {} : { continuity }),
  };
}

function requested(call: WrittenCall, tools: readonly ToolSpec[]): RequestedCall | null {
  const spec = tools.find(({ name }) => name === call.tool);
  return spec ? { tool: spec.name, arguments: typedArguments(call, spec) } : null;
}

/** The name without its provider: `ollama` is no family. */
const familyName = (model: string): string => model.slice(model.indexOf('/') + 1);

/** An own model may answer with anything. */
function isTextOnly(answer: unknown): answer is ModelAnswer {
  const { text, calls, cut, model } = Object(answer) as Partial<ModelAnswer>;
  return (
    typeof text === 'string' &&
    (calls === undefined || calls.length === 0) &&
    !cut &&
    (model === undefined || typeof model === 'string')
  );
}
