import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { lastValueFrom, take, toArray } from 'rxjs';
import { expect, test } from 'vitest';
import type { RunOptions } from '../../../src/config/options.ts';
import { Loops } from '../../../src/hosts/local/local-host.ts';
import type { LoopsOptions } from '../../../src/hosts/local/loops-options.ts';
import { OptionsError } from '../../../src/app/start/options-error.ts';
import { EnvironmentError } from '../../../src/actors/environment-error.ts';
import { ModelError } from '../../../src/actors/model/model.ts';
import { ScriptError, scriptedModel } from '../../../src/actors/model/model-script.ts';
import { memoryLog } from '../../../src/log/sqlite/engine.ts';
import { repository, temporaryFolder } from '../../git/repository.ts';
import { absent } from '../../support/absent.ts';
import { testInTurn } from '../../support/in-turn.ts';
import { untilStopped } from '../../support/stand-ins.ts';

const done = scriptedModel({ answers: [{ text: 'done', chunkCharacters: 2 }] });
const loopsWith = (options: Partial<LoopsOptions> = {}) => new Loops({ log: memoryLog(), ...options });

test('a run from code: its events from the first on, its deltas, its end', async () => {
  const loops = loopsWith({ model: done });
  const heard: string[] = [];
  const run = await loops.start({ prompt: 'Say that it is done.' }, (_facts, deltas) =>
    deltas.subscribe(({ text }) => heard.push(text)),
  );
  const events = await lastValueFrom(run.events.pipe(toArray()));
  expect(await run.done).toMatchObject({ kind: 'ended', answer: 'done', outcome: { ending: 'success' } });
  expect(events.map(({ version }) => version)).toEqual(events.map((_, index) => index + 1));
  expect(events[0]?.type).toBe('run.started');
  expect(heard).toEqual(['do', 'ne']);
  expect(await loops.rebuild(run.run)).toMatchObject({ kind: 'loaded', state: { version: events.length } });
  expect(await loops.rebuild(run.run, 1)).toMatchObject({ kind: 'loaded', state: { version: 1 } });
});

testInTurn('a loop of attempts in a real repository is captured, checked, and ends verified', async () => {
  const { root, filesOf } = await repository({ 'sum.txt': '1' });
  const write = (content: string) => ({ calls: [{ tool: 'write', arguments: { path: 'sum.txt', content } }] });
  const attempt = (content: string) => ({ answers: [write(content), { text: 'try it' }] });
  const loops = loopsWith({ model: scriptedModel({ attempts: [attempt('2'), attempt('3')] }) });
  const run = await loops.start({ prompt: 'Make it three.', directory: root, checks: ['grep 3 sum.txt'] });
  const end = await run.done;
  expect(end).toMatchObject({
    kind: 'ended',
    outcome: { ending: 'success', verified: { workspace: expect.stringMatching(/^[0-9a-f]{40}$/) } },
  });
  const captured = (await lastValueFrom(loops.events(run.run).pipe(toArray()))).filter(
    ({ type }) => type === 'workspace.captured',
  );
  const refs = captured.map(({ payload }) => (payload as { ref: string }).ref);
  expect(refs).toEqual([1, 2].map((number) => `refs/loopfold/${run.run}/${number}`));
  expect(await Promise.all(refs.map(filesOf))).toMatchObject([{ 'sum.txt': '2' }, { 'sum.txt': '3' }]);
});

testInTurn('changes made before a run are not counted as changes of its first attempt', async () => {
  const { root } = await repository({ 'sum.txt': '1' });
  await writeFile(join(root, 'mine.txt'), 'not yet committed');
  const write = { calls: [{ tool: 'write', arguments: { path: 'sum.txt', content: '3' } }] };
  const loops = loopsWith({ model: scriptedModel({ answers: [write, { text: 'done' }] }) });
  const run = await loops.start({ prompt: 'Make it three.', directory: root, checks: ['grep 3 sum.txt'] });
  await run.done;
  const events = await lastValueFrom(loops.events(run.run).pipe(toArray()));
  const captured = events.find(({ type }) => type === 'workspace.captured');
  expect(captured?.payload).toMatchObject({ changed: [{ path: 'sum.txt', added: 1, removed: 1 }] });
});

type Refusal = typeof OptionsError | typeof EnvironmentError | typeof ScriptError | typeof ModelError;

test.each<[string, RunOptions, Refusal, RegExp]>([
  ['an empty prompt', { prompt: ' ' }, OptionsError, /prompt/],
  ['a cap above the ceiling', { prompt: 'x', maxSteps: 201 }, OptionsError, /maxSteps.*200.*201/],
  [
    'no cap at all',
    { prompt: 'x', checks: ['true'], loop: 'iteration', maxIterations: 'none' },
    OptionsError,
    /maxIterations/,
  ],
  [
    'an unknown strategy',
    { prompt: 'x', strategy: 'fixxed' },
    OptionsError,
    /strategy: expected one of: fixed, .*found 'fixxed'/,
  ],
  [
    'a config the strategy does not take',
    { prompt: 'x', strategy: { name: 'fixed', config: { pace: 2 } } },
    OptionsError,
    /strategy\.config\.pace: expected what the strategy fixed takes .*found 2/,
  ],
  ['an unknown model', { prompt: 'x', model: 'gpt-0' }, ModelError, /gpt-0/],
  ['a script that is not there', { prompt: 'x', model: 'script:nowhere.json' }, ScriptError, /nowhere\.json/],
  [
    'a folder that is not there',
    { prompt: 'x', model: 'script:SCRIPT', directory: absent('folder') },
    EnvironmentError,
    /loopfold-absent-.*folder/,
  ],
  [
    'iterations outside git',
    { prompt: 'x', model: 'script:SCRIPT', directory: 'FOLDER', checks: ['true'] },
    EnvironmentError,
    /git init/,
  ],
])('%s is refused with an error that says which, and nothing is written', async (_what, options, kind, message) => {
  const folder = await temporaryFolder();
  const script = join(folder, 'script.json');
  await writeFile(script, JSON.stringify({ answers: [{ text: 'done' }] }));
  const { model, directory } = options;
  const given = {
    ...options,
    ...(model === undefined ? {} : { model: model.replace('SCRIPT', script) }),
    ...(directory === undefined ? {} : { directory: directory.replace('FOLDER', folder) }),
  };
  const loops = loopsWith();
  const error = await loops.start(given).then(
    () => null,
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(kind);
  expect(String(error)).toMatch(message);
  expect(await loops.runs()).toEqual([]);
});

testInTurn('the ceiling is raised by code alone', async () => {
  const loops = loopsWith({ model: done, ceilings: { steps: 500 } });
  const run = await loops.start({ prompt: 'x', maxSteps: 400 });
  expect(await run.done).toMatchObject({ outcome: { ending: 'success' } });
});

/** A run in the middle of a call, whose model is a file. */
async function paused() {
  const folder = await temporaryFolder();
  const script = join(folder, 'script.json');
  await writeFile(script, JSON.stringify({ answers: [{ calls: [{ tool: 'slow' }] }, { text: 'done' }] }));
  const log = memoryLog();
  const loops = () => loopsWith({ log, tools: [untilStopped('slow', () => Promise.reject(new Error('cut')))] });
  const listening = Promise.withResolvers<void>();
  const run = await loops().start(
    {
      prompt: 'x',
      model: `script:${script}`,
      tools: ['slow'],
      maxSteps: 1,
      directory: folder,
    },
    (_facts, deltas) => deltas.subscribe(() => listening.resolve()),
  );
  await listening.promise;
  await run.pause('user');
  await run.done;
  return { log, loops, run: run.run, script };
}

test('a run that has lost its model is not resumed, and goes on as soon as the model is back', async () => {
  const { log, loops, run, script } = await paused();
  await rm(script);
  const before = await log.run(run);
  const later = loops();
  await expect(later.resume(run)).rejects.toThrow(ScriptError);
  expect(await log.run(run)).toEqual(before);
  await writeFile(script, JSON.stringify({ answers: [{ calls: [{ tool: 'slow' }] }, { text: 'done' }] }));
  const resumed = await later.resume(run);
  if (resumed.kind !== 'live') throw new Error(resumed.kind);
  await resumed.live.abort();
  expect(await resumed.live.done).toMatchObject({ outcome: { ending: 'abort' } });
});

test('a run without its model, or under an unknown strategy, is not continued, and nothing is written', async () => {
  const { log, loops, run, script } = await paused();
  const first = loops();
  const resumed = await first.resume(run);
  if (resumed.kind !== 'live') throw new Error(resumed.kind);
  await resumed.live.abort();
  await resumed.live.done;
  await expect(first.extend(run, { strategy: { name: 'fixxed', config: {} } })).rejects.toThrow(OptionsError);
  await rm(script);
  await expect(loops().extend(run, {})).rejects.toThrow(ScriptError);
  expect(await log.runs()).toHaveLength(1);
});

testInTurn('what is known about settings is said with the run, and what is unknown about runs is a value', async () => {
  const loops = loopsWith({ model: done });
  const run = await loops.start({ prompt: 'x', loop: 'turn', maxIterations: 3 });
  expect(run.warnings).toEqual([expect.stringContaining('maxIterations')]);
  await run.done;
  expect(await loops.resume('nobody')).toEqual({ kind: 'unknown_run', run: 'nobody' });
  expect(await loops.extend('nobody', {})).toEqual({ kind: 'unknown_run', run: 'nobody' });
  expect(await loops.abort('nobody')).toEqual({ kind: 'unknown_run', run: 'nobody' });
  expect(await loops.rebuild('nobody')).toEqual({ kind: 'unknown_run', run: 'nobody' });
});

testInTurn('the facts of a run are complete when it is paused, and the last of them is that', async () => {
  const loops = loopsWith({
    tools: [untilStopped('slow')],
    model: scriptedModel({ answers: [{ calls: [{ tool: 'slow' }] }] }),
  });
  const listening = Promise.withResolvers<void>();
  const run = await loops.start({ prompt: 'x', tools: ['slow'] }, (_facts, deltas) =>
    deltas.subscribe(() => listening.resolve()),
  );
  const heard = lastValueFrom(run.events.pipe(toArray()));
  await listening.promise;
  await run.pause('user');
  const seen = await heard;
  const facts = await lastValueFrom(loops.events(run.run).pipe(take(seen.length), toArray()));
  expect(seen).toEqual(facts);
  expect(seen.at(-1)).toMatchObject({ version: seen.length, type: 'run.paused' });
  await run.done;
});

testInTurn('who stops listening to a run does not disturb it', async () => {
  const loops = loopsWith({ model: done });
  const run = await loops.start({ prompt: 'x' });
  const seen: string[] = [];
  run.events.subscribe(({ type }) => seen.push(type)).unsubscribe();
  expect(await run.done).toMatchObject({ outcome: { ending: 'success' } });
  expect(seen).toEqual([]);
});
