import { join } from 'node:path';
import { createClient } from '@libsql/client';
import { Mastra } from '@mastra/core';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { LibSQLStore } from '@mastra/libsql';
import { z } from 'zod';

// Copied to where Mastra is installed, and loaded there. The conversation is what one step hands to the next.
const Turn = z.object({ steps: z.number(), messages: z.array(z.any()) });
const schemas = { inputSchema: Turn, outputSchema: Turn };
const added = ({ steps, messages }, message) => ({ steps, messages: [...messages, message] });

async function answered({ inputData }) {
  const step = inputData.messages.length / 2;
  const call = { tool: 'nothing', arguments: { step } };
  const isLast = step + 1 >= inputData.steps;
  return added(inputData, { role: 'assistant', ...(isLast ? { text: 'done' } : { text: '', calls: [call] }) });
}

async function called({ inputData }) {
  const [call] = inputData.messages.at(-1).calls ?? [];
  return added(inputData, { role: 'tool', output: call ? `ok ${call.arguments.step}` : 'nothing to do' });
}

const isAnswered = ({ messages }) => messages.length % 2 === 1;
const isOver = async ({ inputData: { steps, messages } }) => messages.length >= 2 * steps;

const answer = createStep({ id: 'answer', ...schemas, execute: answered });
const tool = createStep({ id: 'tool', ...schemas, execute: called });

const bodies = {
  // As Mastra's own agents are built: a workflow of an answer and its tools, again and again.
  nested: () =>
    createWorkflow({ id: 'body', ...schemas })
      .then(answer)
      .then(tool)
      .commit(),
  // One step that does what comes next. Nothing nested is to be kept, so that it is the fastest form we know.
  flat: () =>
    createStep({
      id: 'advance',
      ...schemas,
      execute: (context) => (isAnswered(context.inputData) ? called(context) : answered(context)),
    }),
  // Answer and tool in one step: half the commits, and a tool starts before the answer that calls it is durable.
  joined: () =>
    createStep({
      id: 'both',
      ...schemas,
      execute: async (context) => called({ inputData: await answered(context) }),
    }),
};

/** A durable workflow: Mastra writes a snapshot of its run before and after each step. */
export async function open({ folder, form, isFull }) {
  const store = join(folder, 'mastra.db');
  const client = createClient({ url: `file:${store}` });
  const storage = new LibSQLStore({ id: 'bench', client });
  const loop = createWorkflow({ id: 'turn', ...schemas })
    .dountil(bodies[form](), isOver)
    .commit();
  const mastra = new Mastra({ workflows: { turn: loop }, storage, logger: false });
  await storage.init();
  if (isFull) await client.execute('PRAGMA synchronous = FULL');
  const workflow = mastra.getWorkflow('turn');
  const pragma = async (name) => Object.values((await client.execute(`PRAGMA ${name}`)).rows[0])[0];
  return {
    store,
    turn: async (steps) => {
      const run = await workflow.createRun();
      const end = await run.start({ inputData: { steps, messages: [] } });
      if (end.status !== 'success' || end.result.messages.length !== 2 * steps)
        throw new Error(`the turn did not finish: ${JSON.stringify(end)}`);
    },
    durability: async () => ({
      journalMode: await pragma('journal_mode'),
      synchronous: Number(await pragma('synchronous')),
    }),
    close: async () => client.close(),
  };
}
