import { AGENT_FAILED, AGENT_QUIET } from '../../machines/agent-report.ts';
import type { LoopEvent, ToolCall } from '../../machines/events.ts';
import { NO_ANSWER } from '../../machines/outcome.ts';
import { BUDGET_EXHAUSTED } from '../budget/allowance.ts';
import { formatDuration } from '../text/duration.ts';
import { sentence } from '../text/sentence.ts';
import { type AgentEnding, endingOf } from './agent-ending.ts';
import type { AgentRecord } from './agent-record.ts';
import type { MeterRecord } from './meter/meter.ts';

/** The time that an agent may give no sign of life. Many say nothing while a command of theirs runs. */
export const SILENCE_MS = 900_000;

/** The code of a limit of a provider, as models have it. */
const RATE_LIMITED = 'rate_limited';

interface Worked {
  readonly name: string;
  /** It has changed no file. */
  readonly isIdle: boolean;
  /** The account of its meter. Null: none stood before its providers. */
  readonly known: MeterRecord | null;
  /** What a person is to be asked about. */
  readonly calls: ToolCall[];
}

/** The events that the work of an agent ends with. What its meter knows counts before its own words. */
export function endingEvents(ending: AgentEnding, record: AgentRecord, worked: Worked): readonly LoopEvent[] {
  const { name, isIdle, known } = worked;
  const isStopped = ending.code === 'stopped';
  const idle: LoopEvent[] = isIdle && isStopped ? [idleNotice(name)] : [];
  const limited = known && !isStopped ? limitOf(known, name) : null;
  if (!limited) return [...idle, resultOf(known === null ? ending : endingByMeter(ending, known), record, worked)];
  const { fault, retryAt } = limited;
  return [
    { type: 'model.retried', payload: { attempt: 1, fault, usage: record.usage() } },
    { type: 'model.limited', payload: { retryAt, fault } },
  ];
}

const idleNotice = (name: string): LoopEvent => ({
  type: 'warning.raised',
  payload: { code: 'agent_idle', message: `${name} has changed no file: it has done nothing.` },
});

/** The event that an ending comes to, with the report of the agent. */
function resultOf(ending: AgentEnding, record: AgentRecord, { name, isIdle, calls }: Worked): LoopEvent {
  const agent = record.report(ending.code, isIdle);
  const usage = record.usage();
  if (ending.code === 'stopped') {
    const continuity = agent.session === undefined ? {} : { continuity: { session: agent.session } };
    return {
      type: 'model.completed',
      payload: { text: record.text(), calls, usage, model: name, ...continuity, agent },
    };
  }
  const fault = { code: FAULTS[ending.code], message: sentence(`${name}: ${ending.message}`) };
  return { type: 'model.failed', payload: { fault, usage, agent } };
}

/** The codes of faults. Those of `NO_ANSWER` and `AGENT_FAILED` end the attempt alone, the others the whole run. */
const FAULTS: Readonly<Record<Exclude<AgentEnding['code'], 'stopped'>, string>> = {
  'over-budget': BUDGET_EXHAUSTED,
  refused: NO_ANSWER.refused,
  'cut-off': NO_ANSWER.cut,
  'many-requests': AGENT_FAILED.requests,
  silent: AGENT_FAILED.silent,
  'timed-out': AGENT_FAILED.silent,
  flooded: AGENT_FAILED.flooded,
  'asked-too-often': AGENT_FAILED.asking,
  crashed: AGENT_FAILED.crashed,
  // By itself: it was not told to.
  cancelled: AGENT_FAILED.crashed,
  'not-installed': 'agent_missing',
  'not-logged-in': 'authentication',
  'too-old': 'agent_too_old',
  failed: 'agent_failed',
  'not-started': 'agent_not_started',
};

/** The ending by what the meter knows. Agents call a refused request a finished turn, or a missing login. */
function endingByMeter(ending: AgentEnding, { refusal, keyRefusedBy }: MeterRecord): AgentEnding {
  if (refusal !== null) return endingOf('over-budget', refusal);
  if (keyRefusedBy !== null && ending.code !== 'stopped')
    return endingOf('not-logged-in', `key refused by ${keyRefusedBy}`);
  return ending;
}

/** The wait until a limit of the provider is over, where its end is known: then the prompt is sent again. */
function limitOf({ refusal, limitedUntil }: MeterRecord, name: string) {
  if (refusal !== null || limitedUntil === null) return null;
  const message = sentence(`the provider of ${name} limits its use`);
  return { fault: { code: RATE_LIMITED, message }, retryAt: new Date(limitedUntil).toISOString() };
}

/** The answer of an agent that was not started, because the walls of its run do not stand. */
export function notWalled(name: string, missing: string): LoopEvent {
  const fault = {
    code: FAULTS['not-started'],
    message: sentence(`${name}: the walls of this run do not stand: ${missing}`),
  };
  return { type: 'model.failed', payload: { fault, usage: { inputTokens: 0, outputTokens: 0 } } };
}

/** Says that it is silent: a person may look before that ends the attempt. */
export function quietNotice(name: string, ms: number): LoopEvent {
  const [told, ended] = [formatDuration(ms), formatDuration(SILENCE_MS)];
  const message = `${name} has given no sign of life for ${told}; after ${ended} it is ended.`;
  return { type: 'warning.raised', payload: { code: AGENT_QUIET, message } };
}
