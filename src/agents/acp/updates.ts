import { type AgentEvent, CALL_KINDS, type CallStatus, type ReportedCall } from '../agent-port.ts';
import { head } from '../../text/excerpt.ts';
import { countIn, isObject, type JsonObject, listIn, textIn, within } from '../json-object.ts';

const STATUSES: readonly CallStatus[] = ['pending', 'in_progress', 'completed', 'failed'];
/** Calls of one prompt that are remembered. Later ones are told without what was said of them before. */
const MAX_CALLS = 10_000;
const MAX_TITLE_CHARS = 500;

/**
 * The events that updates of a session stand for. An update of a call may come without the call itself, and lack what
 * an earlier one has said: each is told with all that is known by then.
 */
export class Updates {
  readonly #calls = new Map<string, ReportedCall>();

  /** Returns the event that an update is; null where it says nothing that is told. */
  eventOf(update: JsonObject): AgentEvent | null {
    switch (update['sessionUpdate']) {
      case 'agent_message_chunk':
        return pieceOf('message', update);
      case 'agent_thought_chunk':
        return pieceOf('thought', update);
      case 'tool_call':
      case 'tool_call_update': {
        const reported = this.known(update);
        return reported && { kind: 'call', reported };
      }
      case 'plan':
        return { kind: 'plan', steps: listIn(update['entries']).flatMap(stepOf) };
      default:
        return null;
    }
  }

  /** The call of an update or of a question, with what was said of it before. Null: it has no id. */
  known(call: JsonObject): ReportedCall | null {
    const id = textIn(call['toolCallId']);
    if (id === '') return null;
    const before = this.#calls.get(id);
    const reported: ReportedCall = {
      call: id,
      title: head(textIn(call['title']), MAX_TITLE_CHARS) || (before?.title ?? ''),
      kind: CALL_KINDS.find((kind) => kind === call['kind']) ?? before?.kind ?? 'other',
      status: STATUSES.find((status) => status === call['status']) ?? before?.status ?? 'pending',
    };
    if (before || this.#calls.size < MAX_CALLS) this.#calls.set(id, reported);
    return reported;
  }
}

/** The paths that a call says it is about. */
export const pathsOf = (call: JsonObject): string[] =>
  [...listIn(call['locations']), ...listIn(call['content'])].flatMap((place) =>
    isObject(place) && typeof place['path'] === 'string' ? [place['path']] : [],
  );

/** The usage in the answer to a prompt. Null: it says none. */
export function usageOf(result: JsonObject): AgentEvent | null {
  if (!isObject(result['usage'])) return null;
  const usage = result['usage'];
  const inputTokens = countIn(usage['inputTokens']) + countIn(usage['cachedReadTokens']);
  const outputTokens = countIn(usage['outputTokens']);
  return { kind: 'usage', usage: { inputTokens, outputTokens, costUsd: null } };
}

function pieceOf(kind: 'message' | 'thought', update: JsonObject): AgentEvent | null {
  const text = textIn(within(update, 'content')['text']);
  return text === '' ? null : { kind, text };
}

const stepOf = (entry: unknown) =>
  isObject(entry) ? [{ text: head(textIn(entry['content']), MAX_TITLE_CHARS), status: textIn(entry['status']) }] : [];
