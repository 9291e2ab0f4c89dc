import { join } from 'node:path';
import { ownLoopFiles } from '../support/own-loop.ts';
import { folder, MODEL, project } from './program.ts';

export const LOOP = 'loops/reviewed.loop.ts';
const write = (content: string) => ({ calls: [{ tool: 'write', arguments: { path: 'sum.mjs', content } }] });
const SCRIPT = {
  attempts: [
    { answers: [write('export const sum = (a, b) => ;'), { text: 'Done.' }] },
    { answers: [write('export const add = (a, b) => a + b;'), { text: 'Done.' }] },
    { answers: [write('export const sum = (a, b) => a + b;'), { text: 'Done.' }] },
  ],
};
export const REVIEWS = {
  attempts: ['REJECTED\nNo.', 'REJECTED\nCall it sum.', 'APPROVED\nGood.'].map((text) => ({ answers: [{ text }] })),
};

/** A project with the example's loop, its scripted agent and its scripted reviewer. */
export async function reviewedProject(files: Readonly<Record<string, string>> = {}) {
  const cwd = await project(SCRIPT, { ...ownLoopFiles(), 'review.json': JSON.stringify(REVIEWS), ...files });
  const env = { XDG_CONFIG_HOME: await folder() };
  const options = JSON.stringify({ reviewer: `script:${join(cwd, 'review.json')}` });
  const words = ['run', 'Export sum.', ...MODEL, '--options', options, '--verify', 'node --check sum.mjs'];
  return { cwd, env, words, named: [...words, '--loop', `./${LOOP}`] };
}

/** A module that makes something else of the example's loop. */
export const remade = (change: string) => `
import { defineLoop } from 'loopfold';
import { loop as reviewed } from './reviewed.loop.ts';
${change}
`;
