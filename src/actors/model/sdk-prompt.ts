import type { AssistantModelMessage, JSONValue, ModelMessage, ToolModelMessage, UserContent } from 'ai';
import type { Json } from '../../log/envelope.ts';
import { type ContinuityPart, partsIn } from './continuity.ts';
import type { Message, MessageCall } from './model.ts';

type AssistantMessage = Extract<Message, { role: 'assistant' }>;
type Content = Exclude<AssistantModelMessage['content'], string>;
type Part = Content[number];
type Options = NonNullable<Extract<Part, { type: 'text' }>['providerOptions']>;

/** What every provider accepts as the id of a call, or the name of a tool. */
const PLAIN = /^[a-zA-Z0-9_-]{1,64}$/;
const MAX_NAME_CHARACTERS = 64;

/**
 * Our conversation in the words of the SDK, for the model of that name. What only a provider understands goes back to
 * the model that wrote it; a call has the id that model gave it, or one of ours where that would not be plain or
 * unique.
 */
export function promptOf(messages: readonly Message[], model: string): ModelMessage[] {
  const ids = new Map<string, string>();
  const taken = new Set<string>();
  const prompt: ModelMessage[] = [];
  for (const message of messages) {
    switch (message.role) {
      case 'user':
        if (message.text !== '' || message.images) prompt.push({ role: 'user', content: userContent(message) });
        break;
      case 'assistant': {
        for (const call of message.calls) ids.set(call.callId, idOf(call, message.model === model, taken));
        const content = contentOf(message, model, ids);
        // Providers refuse an answer that says nothing, and reasoning that nothing follows.
        if (content.some(({ type }) => type !== 'reasoning')) prompt.push({ role: 'assistant', content });
        break;
      }
      case 'tool':
        prompt.push(resultOf(message, ids.get(message.callId) ?? plain(message.callId)));
        break;
    }
  }
  return prompt;
}

/** Images stand before the text that speaks of them. */
function userContent({ text, images }: Extract<Message, { role: 'user' }>): UserContent {
  if (!images) return text;
  const shown = images.flatMap(({ mediaType, data }) =>
    data === undefined ? [] : [{ type: 'file' as const, mediaType, data }],
  );
  return text === '' ? shown : [...shown, { type: 'text', text }];
}

/**
 * Some providers refuse a whole conversation for a text of nothing but blanks, others want back all that they marked.
 */
const isSayable = (text: string, { metadata }: ContinuityPart) =>
  metadata === undefined ? text.trim() !== '' : text !== '';

/** A model may call a tool by any name, but none would take back what no tool can be called. */
const plainName = (tool: string) =>
  PLAIN.test(tool) ? tool : tool.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_NAME_CHARACTERS) || 'unnamed';

const plain = (callId: string) => `call_${callId.replaceAll(/[^a-zA-Z0-9]/g, '_')}`;

function idOf({ callId, providerId }: MessageCall, isItsOwn: boolean, taken: Set<string>): string {
  const usable = isItsOwn && providerId !== null && PLAIN.test(providerId) && !taken.has(providerId);
  const id = usable ? providerId : plain(callId);
  taken.add(id);
  return id;
}

function contentOf(message: AssistantMessage, model: string, ids: ReadonlyMap<string, string>): Part[] {
  const { text, calls, continuity } = message;
  const parts = message.model === model ? partsIn(continuity, text, calls.length) : null;
  const all = parts ?? plainParts(message);
  const content: Part[] = [];
  let at = 0;
  for (const one of all) {
    const options = one.metadata === undefined ? {} : { providerOptions: one.metadata as Options };
    switch (one.part) {
      case 'reasoning':
        content.push({ type: 'reasoning', text: one.text, ...options });
        break;
      case 'text': {
        const said = text.slice(at, at + one.characters);
        if (isSayable(said, one)) content.push({ type: 'text', text: said, ...options });
        at += one.characters;
        break;
      }
      case 'call': {
        const call = calls[one.index];
        if (call) content.push({ ...callPart(call, ids), ...options });
        break;
      }
    }
  }
  return content;
}

const plainParts = ({ text, calls }: AssistantMessage): readonly ContinuityPart[] => [
  { part: 'text', characters: text.length },
  ...calls.map((_, index): ContinuityPart => ({ part: 'call', index })),
];

const callPart = (call: MessageCall, ids: ReadonlyMap<string, string>) => ({
  type: 'tool-call' as const,
  toolCallId: ids.get(call.callId) ?? plain(call.callId),
  toolName: plainName(call.tool),
  input: asObject(call.arguments),
});

/** Some providers read nothing else. The model meets its own odd words again, and the tool's refusal after them. */
function asObject(given: Json): { readonly [key: string]: JSONValue } {
  const isObject = typeof given === 'object' && given !== null && !Array.isArray(given);
  return isObject ? (given as { readonly [key: string]: JSONValue }) : { unreadable: given as JSONValue };
}

function resultOf(message: Extract<Message, { role: 'tool' }>, toolCallId: string): ToolModelMessage {
  const type = message.failed ? ('error-text' as const) : ('text' as const);
  const output = { type, value: message.output };
  return { role: 'tool', content: [{ type: 'tool-result', toolCallId, toolName: plainName(message.tool), output }] };
}
