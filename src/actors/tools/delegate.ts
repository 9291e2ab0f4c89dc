import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import { text } from './fields.ts';
import { ToolRefusal } from './refusal.ts';

/** What is handed over with a call. */
export const Delegation = z.strictObject({
  task: text.refine((words) => words.trim() !== '', 'Invalid input: expected a task').describe(
    'All that is to be done, and all that must be known for it: nothing of this conversation is seen there',
  ),
  agent: text.min(1).optional().describe('Who does it, by name; without it, one like you'),
  maxTokens: z.int().positive().optional().describe('How many tokens it may use at most'),
});
export type Delegation = z.output<typeof Delegation>;

/** The tool that has work done by another run. A host opens that run; `run` is for hosts that cannot. */
export const delegate = defineTool({
  name: 'delegate',
  description:
    'Hands a piece of work to another agent, which works in the same workspace, and comes back with its answer. Several ' +
    'calls in one answer are worked on side by side, and share what is left of the budget: hand over parts that do not ' +
    'get in each other\'s way.',
  input: Delegation,
  effectClass: 'once',
  handsOver: true,
  traits: { handoff: handedOver },
  run: async () => {
    throw new ToolRefusal('nobody_to_ask', 'nobody is there to hand work to: do it yourself');
  },
});

function handedOver(given: unknown): { agent: string; task: string } | null {
  const read = Delegation.safeParse(given);
  return read.success ? { agent: read.data.agent ?? '', task: read.data.task } : null;
}
