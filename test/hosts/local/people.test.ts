import { mkdir, realpath, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { firstValueFrom, filter, lastValueFrom, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import type { AnyScript } from '../../../src/actors/model/scripted-model.ts';
import { scriptedModel } from '../../../src/actors/model/scripted-model.ts';
import type { Model, ModelRequest } from '../../../src/actors/model/model.ts';
import type { RunOptions } from '../../../src/config/options.ts';
import { type LiveRun, Loops } from '../../../src/hosts/local/loops.ts';
import { MAX_WORDS_CHARS } from '../../../src/hosts/local/people.ts';
import type { Log } from '../../../src/log/log.ts';
import { memoryLog } from '../../../src/log/memory/log.ts';
import { temporaryFolder } from '../../actors/workspace/repository.ts';

const ask = (question: string, choices: string[] = []) => ({ tool: 'ask_user', arguments: { question, choices } });
const request = (path: string) => ({ tool: 'request_read_access', arguments: { path, reason: 'to compare' } });

/** A model whose requests are kept. */
function overheard(script: AnyScript) {
  const requests: ModelRequest[] = [];
  const inner = scriptedModel(script);
  const model: Model = { ...inner, answer: (asked, call) => (requests.push(asked), inner.answer(asked, call)) };
  return { model, requests };
}

/** Loops on one log, as several processes would have them. */
function office(script: AnyScript, log: Log = memoryLog()) {
  const { model, requests } = overheard(script);
  const loops = () => new Loops({ log, model });
  const start = (options: Partial<RunOptions> = {}) =>
    loops().start({ prompt: 'Do it.', loop: 'turn', tools: ['ask_user', 'request_read_access', 'read'], ...options });
  return { log, loops, start, requests };
}

const untilWaiting = ({ waiting }: LiveRun) => firstValueFrom(waiting.pipe(filter((isWaiting) => isWaiting)));
const toolOutputs = ({ messages }: ModelRequest) =>
  messages.flatMap((message) => (message.role === 'tool' ? [message.output] : []));

/** Asks, and is left with its question. */
async function leftWaiting(script: AnyScript, options: Partial<RunOptions> = {}) {
  const house = office(script);
  const live = await house.start(options);
  await untilWaiting(live);
  await live.pause('waiting');
  expect(await live.done).toEqual({ kind: 'paused' });
  return { ...house, run: live.run };
}

async function resumed(loops: Loops, run: string): Promise<LiveRun> {
  const taken = await loops.resume(run);
  if (taken.kind !== 'live') throw new Error(`not resumed: ${JSON.stringify(taken)}`);
  return taken.live;
}

test('T9 a question waits, says so, is answered through the same log, and its answer reaches the model', async () => {
  const { start, loops, requests } = office({ answers: [{ calls: [ask('Tabs?', ['yes', 'no'])] }, { text: 'Tabs then.' }] });
  const live = await start();
  await untilWaiting(live);
  expect(live.isWaiting()).toBe(true);
  const [question] = (await loops().questions(live.run)) ?? [];
  expect(question).toMatchObject({ run: live.run, callId: '0.0', kind: 'question', text: 'Tabs?', choices: ['yes', 'no'], path: null });
  expect(await loops().answer(live.run, { text: 'yes' })).toMatchObject({ kind: 'heard', run: live.run });
  expect(await live.done).toMatchObject({ kind: 'ended', answer: 'Tabs then.' });
  expect(requests.map(toolOutputs)).toEqual([[], ['yes']]);
  expect(await loops().questions(live.run)).toEqual([]);
});

test('T9 an answer to a run that nobody serves is heard when it is resumed', async () => {
  const { run, loops, requests, log } = await leftWaiting({ answers: [{ calls: [ask('Tabs?')] }, { text: 'done' }] });
  expect(await loops().answer(run, { call: '0.0', text: 'spaces' })).toMatchObject({ kind: 'heard' });
  expect(await log.holder(run)).toBeNull();
  expect(requests).toHaveLength(1);
  const live = await resumed(loops(), run);
  expect(await live.done).toMatchObject({ kind: 'ended', outcome: { ending: 'success' } });
  expect(requests.map(toolOutputs)).toEqual([[], ['spaces']]);
});
