import { z } from 'zod';
import { defineTool, text } from './tool.ts';
import { ToolRefusal } from './confine.ts';

/** The arguments of a call: the delegated task. */
export const Delegation = z.strictObject({
  task: text
    .refine((words) => words.trim() !== '', 'Invalid input: expected a task')
    .describe('Everything to be done and everything needed for it: the other agent does not see this conversation'),
  agent: text.min(1).optional().describe('Name of the agent; without it, one like you'),
  maxTokens: z.int().positive().optional().describe('Most tokens that it may use'),
});
export type Delegation = z.output<typeof Delegation>;

/** The tool that has work done by another run. A host opens that run; `run` is for hosts that cannot. */
export const delegate = defineTool({
  name: 'delegate',
  description:
    'Delegates a task to another agent, which works in the same workspace, and returns its answer. Several calls ' +
    'in one answer run in parallel and share what is left of the budget: delegate tasks that do not change the same files.',
  input: Delegation,
  effectClass: 'once',
  handsOver: true,
  // A child run costs more than the call: a run must ask for this tool.
  onlyByName: true,
  traits: { handoff: handedOver, writes: true },
  run: async () => {
    throw new ToolRefusal('nobody_to_ask', 'no other agent is available here: do the task yourself');
  },
});

function handedOver(given: unknown): { agent: string; task: string } | null {
  const read = Delegation.safeParse(given);
  return read.success ? { agent: read.data.agent ?? '', task: read.data.task } : null;
}
