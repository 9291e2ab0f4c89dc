import { endingOf, endingOfError } from '../agent-ending.ts';
import type { AgentEvent, CallKind } from '../agent-port.ts';
import { countIn, isObject, type JsonObject, listIn, textIn, within } from '../json-object.ts';
import { type LineReading, NOTHING, type Read, said } from './line-reading.ts';

/** The kinds of its own tools, by name. */
const KINDS: Readonly<Record<string, CallKind>> = {
  Read: 'read',
  Write: 'edit',
  Edit: 'edit',
  MultiEdit: 'edit',
  NotebookEdit: 'edit',
  Glob: 'search',
  Grep: 'search',
  Bash: 'execute',
  WebFetch: 'fetch',
  WebSearch: 'fetch',
};

/** Reads `--output-format stream-json` of Claude Code, which Qwen Code has, too. */
export function readClaude(): LineReading {
  const titles = new Map<string, string>();
  return (line) => {
    switch (line['type']) {
      case 'system':
        return line['subtype'] === 'init' ? { events: sessionIn(line) } : NOTHING;
      case 'assistant':
        return { events: blocksIn(line).flatMap((block) => answerIn(block, titles)) };
      case 'user':
        return { events: blocksIn(line).flatMap((block) => resultIn(block, titles)) };
      case 'result':
        return endIn(line);
      default:
        return NOTHING;
    }
  };
}

const sessionIn = (line: JsonObject): readonly AgentEvent[] => [
  { kind: 'session', id: textIn(line['session_id']), agent: textIn(line['claude_code_version']) || null },
];

const blocksIn = (line: JsonObject): readonly JsonObject[] =>
  listIn(within(line, 'message')['content']).filter(isObject);

function answerIn(block: JsonObject, titles: Map<string, string>): readonly AgentEvent[] {
  if (block['type'] === 'text') return said('message', textIn(block['text']));
  if (block['type'] === 'thinking') return said('thought', textIn(block['thinking']));
  if (block['type'] !== 'tool_use') return [];
  const [call, name] = [textIn(block['id']), textIn(block['name'])];
  const input = within(block, 'input');
  const about = textIn(input['command'] ?? input['file_path'] ?? input['pattern'] ?? input['url']);
  titles.set(call, about === '' ? name : `${name} ${about}`);
  return [calling(call, titles, 'in_progress')];
}

function resultIn(block: JsonObject, titles: Map<string, string>): readonly AgentEvent[] {
  if (block['type'] !== 'tool_result') return [];
  const call = textIn(block['tool_use_id']);
  return [calling(call, titles, block['is_error'] === true ? 'failed' : 'completed')];
}

function calling(
  call: string,
  titles: ReadonlyMap<string, string>,
  status: 'in_progress' | 'completed' | 'failed',
): AgentEvent {
  const title = titles.get(call) ?? '';
  const [name = ''] = title.split(' ', 1);
  const kind = Object.hasOwn(KINDS, name) ? KINDS[name] : undefined;
  return { kind: 'call', reported: { call, title, kind: kind ?? 'other', status } };
}

/** A refused request has the subtype `success`, too: `is_error` decides. */
function endIn(line: JsonObject): Read {
  const usage = within(line, 'usage');
  const cost = line['total_cost_usd'];
  const inputTokens =
    countIn(usage['input_tokens']) +
    countIn(usage['cache_read_input_tokens']) +
    countIn(usage['cache_creation_input_tokens']);
  const costUsd = typeof cost === 'number' && cost >= 0 ? cost : null;
  const used = { inputTokens, outputTokens: countIn(usage['output_tokens']), costUsd };
  return { events: [{ kind: 'usage', usage: used }], ending: endingIn(line) };
}

function endingIn(line: JsonObject) {
  const subtype = textIn(line['subtype']);
  if (subtype === 'error_max_turns') return endingOf('many-requests');
  const words = textIn(line['result']) || subtype;
  if (line['is_error'] === true || subtype !== 'success') return endingOfError(null, words);
  return endingOf('stopped');
}
