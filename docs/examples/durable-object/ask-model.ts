import type { ReadEvent, RunMessage } from 'loopfold/kernel';
import type { Environment } from './loop-object.ts';
import { TOOLS } from './tools.ts';

type Fact = Extract<ReadEvent, { kind: 'event' }>['event'];

interface Answer {
  readonly text: string;
  readonly calls?: readonly { readonly tool: string; readonly arguments: never }[];
  readonly usage: { readonly inputTokens: number; readonly outputTokens: number };
}

/** Asks for the next answer to the conversation so far. */
export async function askModel(
  model: Environment['MODEL'],
  facts: readonly Fact[],
  signal: AbortSignal,
): Promise<RunMessage['event']> {
  const messages = facts.flatMap(messageOf);
  const body = JSON.stringify({ messages, tools: Object.keys(TOOLS) });
  const response = await model.fetch('http://model/', { method: 'POST', body, signal });
  if (!response.ok) {
    const fault = { code: 'unavailable', message: `the model answered ${response.status}` };
    return { type: 'model.failed', payload: { fault, usage: { inputTokens: 0, outputTokens: 0 } } };
  }
  const { text, calls = [], usage } = (await response.json()) as Answer;
  const step = facts.filter(({ type }) => type === 'model.completed').length;
  const named = calls.map((call, index) => ({ ...call, callId: `${step}.${index}`, providerId: null }));
  return { type: 'model.completed', payload: { text, calls: named, usage } };
}

/** The message that an event is in the conversation. */
function messageOf({ type, payload }: Fact): readonly object[] {
  switch (type) {
    case 'run.started':
      return [{ role: 'user', text: payload.settings.prompt }];
    case 'model.completed':
      return [{ role: 'assistant', text: payload.text, calls: payload.calls }];
    case 'tool.completed':
      return [{ role: 'tool', callId: payload.callId, text: payload.output }];
    case 'tool.failed':
      return [{ role: 'tool', callId: payload.callId, text: payload.fault.message }];
    case 'tool.interrupted':
      return [{ role: 'tool', callId: payload.callId, text: payload.reason }];
    case 'person.answered':
      return [{ role: 'tool', callId: payload.callId, text: payload.answer }];
    case 'run.steered':
      return [{ role: 'user', text: payload.text }];
    case 'decision.made':
      return payload.feedback === undefined ? [] : [{ role: 'user', text: payload.feedback }];
    default:
      return [];
  }
}
