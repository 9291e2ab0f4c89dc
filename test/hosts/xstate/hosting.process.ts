// A process that hosts a machine which invokes a loop, in the folder its first argument names. It persists the machine
// at every snapshot, and continues from there if it finds one. Its external effects are appended to a file; at the
// moment that its second argument names, it kills itself.
import { appendFileSync, existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createActor } from 'xstate';
import { z } from 'zod';
import { scriptedModel } from '../../../src/actors/model/model-script.ts';
import { defineTool } from '../../../src/actors/tools/tool.ts';
import { openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { deployment, noteTask } from './deployment.ts';

const [folder = '', until] = process.argv.slice(2);
const saved = join(folder, 'parent.json');

function reached(moment: string): void {
  if (moment === until) process.kill(process.pid, 'SIGKILL');
}

function happened(what: string): void {
  appendFileSync(join(folder, 'effects'), `${what}\n`);
  reached(what);
}

const note = defineTool({
  name: 'note',
  description: 'Does something to the world that must not be done twice.',
  input: z.strictObject({ number: z.int() }),
  run: async ({ number }) => {
    happened(`begins ${number}`);
    await delay(10);
    happened(`ends ${number}`);
    return { output: `noted ${number}` };
  },
});
const model = scriptedModel(({ step }) => {
  reached(`step ${step}`);
  return step < 5 ? { calls: [{ tool: 'note', arguments: { number: step + 1 } }] } : { text: 'all noted' };
});

const { machine } = deployment({ log: openSqliteLog(join(folder, 'log.db')), model, tools: [note] });
const before = existsSync(saved) ? { snapshot: JSON.parse(readFileSync(saved, 'utf8')) } : {};
const parent = createActor(machine, { input: { ...noteTask, directory: folder }, ...before });
const save = () => {
  writeFileSync(`${saved}.new`, JSON.stringify(parent.getPersistedSnapshot()));
  renameSync(`${saved}.new`, saved);
};
save();
parent.subscribe(({ value, context }) => {
  save();
  if (value !== 'working') happened(`${value}: ${context.output?.answer ?? String(context.error)}`);
});
parent.start();
