import { AGENT_FAILED } from '../../machines/agent-report.ts';
import type { LoopEvent } from '../../machines/events.ts';
import { NO_ANSWER } from '../../machines/outcome.ts';
import type { Actor, Delta } from '../actors/actor.ts';
import { sentence } from '../text/sentence.ts';
import type { AgentEnding } from './agent-ending.ts';
import type { Agent, AgentEvent } from './agent-port.ts';
import { AgentRecord } from './agent-record.ts';
import { permit } from './permit.ts';
import { lookAtWorkspace } from './workspace-look.ts';

/** A task for an agent of others. */
export interface AgentInput {
  readonly run: string;
  readonly prompt: string;
  readonly directory: string;
  /** Names of further variables that it sees. */
  readonly passes: readonly string[];
}

/** The time that an agent may give no sign of life. Many say nothing while a command of theirs runs. */
const SILENCE_MS = 900_000;

const AGAIN = `This task was begun before, and interrupted: look at what is there already.\n\n`;

/**
 * Has an agent of others do the whole work of a step: `model.completed` with its last message, and with its report;
 * `model.failed` where it has not come to an end by itself; `model.interrupted` where it was told to stop. That it
 * stopped by itself proves nothing. Where it has changed no file, `warning.raised` says so (`agent_idle`).
 */
export function agentActor(agent: Agent, name: string): Actor<AgentInput> {
  return {
    // A session that a crash has ended is not continued: another one begins with the files as they are.
    effectClass: () => 'repeatable',
    async *execute({ prompt, ...input }, call) {
      const { directory } = input;
      const record = new AgentRecord(name);
      const before = await lookAtWorkspace(directory);
      let ending: AgentEnding | null = null;
      const task = {
        ...input,
        prompt: call.attempt > 1 ? AGAIN + prompt : prompt,
        timeMs: Infinity,
        silenceMs: SILENCE_MS,
        signal: call.signal,
        permit: async (question: Parameters<typeof permit>[0]) => permit(question, directory),
      };
      for await (const event of agent(task)) {
        record.take(event);
        const delta = deltaOf(event);
        if (delta) call.delta(delta);
        if (event.kind === 'ended') ending = event.ending;
      }
      if (ending === null || call.signal.aborted) {
        const payload = { reason: String(call.signal.reason), text: record.text(), usage: record.usage() };
        yield { type: 'model.interrupted', payload };
        return;
      }
      const isIdle = before !== null && before === (await lookAtWorkspace(directory));
      if (isIdle && ending.code === 'stopped') {
        const message = `${name} has changed no file: it has done nothing.`;
        yield { type: 'warning.raised', payload: { code: 'agent_idle', message } };
      }
      yield resultOf(ending, record, isIdle, name);
    },
  };
}

function resultOf(ending: AgentEnding, record: AgentRecord, isIdle: boolean, name: string): LoopEvent {
  const agent = record.report(ending.code, isIdle);
  const usage = record.usage();
  if (ending.code === 'stopped') {
    return { type: 'model.completed', payload: { text: record.text(), calls: [], usage, model: name, agent } };
  }
  const fault = { code: FAULTS[ending.code], message: sentence(`${name}: ${ending.message}`) };
  return { type: 'model.failed', payload: { fault, usage, agent } };
}

/** The codes of faults. Those of `NO_ANSWER` and `AGENT_FAILED` end the attempt alone, the others the whole run. */
const FAULTS: Readonly<Record<Exclude<AgentEnding['code'], 'stopped'>, string>> = {
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

/** Returns what people see while it works. */
function deltaOf(event: AgentEvent): Delta | null {
  if (event.kind === 'message') return { kind: 'text', text: event.text };
  if (event.kind === 'call' && event.reported.status !== 'pending') {
    const { kind, title, status } = event.reported;
    return { kind: 'output', text: `[${kind}: ${title}, ${status.replace('_', ' ')}]\n` };
  }
  return null;
}
