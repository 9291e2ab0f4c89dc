import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { quotedAll } from '../../src/text/shell-words.ts';
import { acpAgent } from '../../src/agents/acp/acp-agent.ts';
import type { Agent, AgentEvent, AgentTask } from '../../src/agents/agent-port.ts';
import type { AgentEnding } from '../../src/agents/agent-ending.ts';
import { tmpdir } from 'node:os';

export const folder = () => mkdtempSync(join(tmpdir(), 'agent-'));

/** The command that plays a story. */
const fake = (program: string, ...words: string[]) =>
  quotedAll([process.execPath, join(import.meta.dirname, `${program}.process.ts`), ...words]);

/** The fake agent of the protocol with that story. */
export const playing = (story: string): Agent =>
  acpAgent({ command: fake('fake-agent', story), environment: {}, login: null, session: null });

interface Driven {
  readonly events: readonly AgentEvent[];
  readonly ending: AgentEnding;
  readonly directory: string;
}

/** Lets an agent work to its end. */
export async function drive(agent: Agent, given: Partial<AgentTask> = {}): Promise<Driven> {
  const task: AgentTask = {
    run: null,
    prompt: 'Write hello.txt.',
    directory: folder(),
    passes: [],
    timeMs: 60_000,
    silenceMs: 60_000,
    signal: new AbortController().signal,
    permit: () => Promise.resolve('allowed'),
    ...given,
  };
  const events: AgentEvent[] = [];
  for await (const event of agent(task)) events.push(event);
  const last = events.at(-1);
  if (last?.kind !== 'ended') throw new Error('the last event of an agent is its ending');
  return { events, ending: last.ending, directory: task.directory };
}
