import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteLog, type RunOptions, scriptedModel } from 'loopfold';
import { loopLogic, type LoopOutput } from 'loopfold/xstate';
import { assign, createActor, setup, waitFor } from 'xstate';

// A model that forgets half of its work at first. Name a real one in `task` instead, and leave this out.
const write = (content: string) => ({ calls: [{ tool: 'write', arguments: { path: 'version.txt', content } }] });
const model = scriptedModel({
  attempts: [
    { answers: [write('2.0'), { text: 'The version is raised.' }] },
    { answers: [write('2.0.0'), { text: 'Now it has three parts.' }] },
  ],
});
const task: RunOptions = {
  prompt: 'Raise the version to 2.0.0',
  checks: ["grep -qx '2[.]0[.]0' version.txt"],
  maxIterations: 3,
};

const log = openSqliteLog(join(mkdtempSync(join(tmpdir(), 'deployment-')), 'log.db'));
const agent = loopLogic({ log, model });

const deployment = setup({
  types: { context: {} as { output: LoopOutput | null } },
  actors: { agent },
  guards: {
    isVerified: ({ context: { output } }) => output?.outcome.ending === 'success' && output.outcome.verified !== null,
  },
}).createMachine({
  id: 'deployment',
  context: { output: null },
  initial: 'preparing',
  states: {
    preparing: {
      invoke: {
        src: 'agent',
        id: 'agent',
        input: task,
        onDone: { target: 'deciding', actions: assign({ output: ({ event }) => event.output }) },
        onError: 'broken',
      },
    },
    deciding: { always: [{ guard: 'isVerified', target: 'deployed' }, { target: 'inReview' }] },
    deployed: { type: 'final' },
    inReview: { type: 'final' },
    broken: { type: 'final' },
  },
});

const actor = createActor(deployment);
actor.subscribe(({ value }) => console.log(value));
actor.start();
const { context } = await waitFor(actor, ({ status }) => status === 'done');
console.log(`${context.output?.outcome.ending}: ${context.output?.answer}`);

await agent.settled();
await log.close();
