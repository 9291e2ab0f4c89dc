import type { AgentInput } from '../../../agents/agent-actor.ts';
import type { Message, ModelRequest } from '../../../actors/model/model.ts';
import type { RunContext } from '../../../kernel/effect-handlers.ts';

/**
 * The task of an agent of others: what a model would be told, but for the system prompt, which is about our tools, and
 * the instructions of the project, which such an agent reads by itself.
 */
export const agentInput = (
  { run, settings }: Pick<RunContext, 'run' | 'settings'>,
  { messages }: Pick<ModelRequest, 'messages'>,
): AgentInput => ({
  run,
  prompt: promptOf(messages),
  directory: settings.directory,
  passes: settings.environment ?? [],
});

/** Each prompt begins a session: where there was a conversation, it is told again. */
function promptOf(messages: readonly Message[]): string {
  const last = messages.findLastIndex(({ role }) => role !== 'user');
  const asked = messages.slice(last + 1).map(textOf);
  const before = messages.slice(0, last + 1).map((message) => `${SPEAKERS[message.role]}:\n${textOf(message)}`);
  const told = before.length === 0 ? [] : ['What was said before:', ...before, 'What is asked now:'];
  return [...told, ...asked].join('\n\n');
}

const SPEAKERS = { user: 'The task', assistant: 'You', tool: 'A tool' } as const;

const textOf = (message: Message): string => (message.role === 'tool' ? message.output : message.text);
