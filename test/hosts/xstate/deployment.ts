import { tmpdir } from 'node:os';
import { assign, setup } from 'xstate';
import { z } from 'zod';
import { type AnyScript, scriptedModel } from '../../../src/actors/model/model-script.ts';
import { defineTool } from '../../../src/actors/tools/tool.ts';
import type { LoopsOptions } from '../../../src/hosts/local/loops-options.ts';
import { type LoopInput, loopLogic, type LoopOutput } from '../../../src/hosts/xstate/index.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';

export const task: LoopInput = {
  prompt: 'Do it.',
  directory: tmpdir(),
  loop: 'turn',
  tools: [],
  graceMs: 2000,
};
/** For programs that have the tool. */
export const holdTask: LoopInput = { ...task, tools: ['hold'] };
export const noteTask: LoopInput = { ...task, tools: ['note'] };

/** A tool that goes on until it is told to stop, and says when it began and how it was told. */
export function holding() {
  const began = Promise.withResolvers<void>();
  const told: unknown[] = [];
  const tool = defineTool({
    name: 'hold',
    description: 'Waits until it is told to stop.',
    input: z.strictObject({}),
    run: (_input, { signal }) => {
      began.resolve();
      return new Promise((_resolve, reject) => {
        signal.addEventListener(
          'abort',
          () => {
            told.push(signal.reason);
            reject(new Error('stopped'));
          },
          { once: true },
        );
      });
    },
  });
  return { tool, began: began.promise, told };
}

export const answering = (text: string) => scriptedModel({ answers: [{ text }] });
export const callsThen = (name: string, text: string): AnyScript => ({
  answers: [{ calls: [{ tool: name, arguments: {} }] }, { text }],
});

/** A parent as a user would write it: it invokes a loop and goes on by its outcome. */
export function deployment(options: Partial<LoopsOptions> = {}) {
  const agent = loopLogic({ log: memoryLog(), ...options });
  const machine = setup({
    types: {
      context: {} as { input: LoopInput; output: LoopOutput | null; error: unknown },
      events: {} as { type: 'cancel' } | { type: 'tell'; text: string },
      input: {} as LoopInput,
    },
    actors: { agent },
  }).createMachine({
    id: 'deployment',
    context: ({ input }) => ({ input, output: null, error: null }),
    initial: 'working',
    states: {
      working: {
        invoke: {
          id: 'agent',
          src: 'agent',
          input: ({ context }) => context.input,
          onDone: { target: 'deployed', actions: assign({ output: ({ event }) => event.output }) },
          onError: { target: 'broken', actions: assign({ error: ({ event }) => event.error }) },
        },
        on: { cancel: 'cancelled' },
      },
      deployed: {},
      broken: {},
      cancelled: {},
    },
  });
  return { agent, machine };
}
