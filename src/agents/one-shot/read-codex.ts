import { endingOf, endingOfError } from '../agent-ending.ts';
import type { AgentEvent, CallKind } from '../agent-port.ts';
import { countIn, isObject, type JsonObject, listIn, textIn, within } from '../json-object.ts';
import { type LineReading, NOTHING, type Read, said } from './line-reading.ts';

/** The kinds of items that are tool calls. */
const KINDS: Readonly<Record<string, CallKind>> = {
  command_execution: 'execute',
  file_change: 'edit',
  mcp_tool_call: 'other',
  web_search: 'fetch',
};

/** Reads the events of `codex exec --json`. */
export const readCodex = (): LineReading => (line) => {
  switch (line['type']) {
    case 'thread.started':
      return { events: [{ kind: 'session', id: textIn(line['thread_id']), agent: null }] };
    case 'item.started':
    case 'item.updated':
    case 'item.completed':
      return { events: itemIn(within(line, 'item'), line['type'] === 'item.completed') };
    case 'turn.completed':
      return { events: [usageIn(within(line, 'usage'))], ending: endingOf('stopped') };
    case 'turn.failed':
      return failed(within(line, 'error'));
    default:
      // An `error` is a notice, and may be followed by another try: `turn.failed` is the end.
      return NOTHING;
  }
};

function itemIn(item: JsonObject, isDone: boolean): readonly AgentEvent[] {
  const type = textIn(item['type']);
  if (type === 'agent_message') return isDone ? said('message', `${textIn(item['text'])}\n`) : [];
  if (type === 'reasoning') return isDone ? said('thought', textIn(item['text'])) : [];
  if (type === 'todo_list') return [{ kind: 'plan', steps: listIn(item['items']).filter(isObject).map(stepOf) }];
  const kind = Object.hasOwn(KINDS, type) ? KINDS[type] : undefined;
  if (!kind) return [];
  const [change] = listIn(item['changes']).filter(isObject);
  const title = textIn(item['command'] ?? change?.['path'] ?? item['tool'] ?? item['query']);
  const isFailed = item['status'] === 'failed' || item['status'] === 'declined';
  const ended = isFailed ? 'failed' : 'completed';
  const status = isDone ? ended : 'in_progress';
  return [{ kind: 'call', reported: { call: textIn(item['id']), title: title || type, kind, status } }];
}

const stepOf = (step: JsonObject) => ({
  text: textIn(step['text']),
  status: step['completed'] === true ? 'completed' : 'pending',
});

/** The tokens of the thread, of which a new one has this prompt alone. */
const usageIn = (usage: JsonObject): AgentEvent => ({
  kind: 'usage',
  usage: {
    inputTokens: countIn(usage['input_tokens']),
    outputTokens: countIn(usage['output_tokens']),
    costUsd: null,
  },
});

const failed = (error: JsonObject): Read => ({ events: [], ending: endingOfError(null, textIn(error['message'])) });
