import { rmSync } from 'node:fs';
import { expect, test } from 'vitest';
import { Loops, scriptedModel } from '../../../src/index.ts';
import { openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { edit, everythingAt } from '../../log/damaging.ts';
import { temporaryStore } from '../../log/store.ts';

const model = () => scriptedModel({ answers: [{ text: 'done' }] });

/** A store with a run that is open, and whose first event was edited. */
async function damaged(): Promise<{ path: string; run: string }> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const live = await new Loops({ log, model: model() }).start({ prompt: 'x', tools: [] });
  await live.done;
  const run = (await log.runs())[0]?.run ?? '';
  await log.close();
  const last = '(SELECT max(version) FROM events)';
  edit(path, `DELETE FROM events WHERE version = ${last}`, 'UPDATE runs SET closed = NULL');
  edit(path, `UPDATE events SET payload = replace(payload, '"x"', '"y"') WHERE version = 1`);
  rmSync(`${path}.heads`, { recursive: true });
  return { path, run };
}

const COMMANDS: [what: string, ask: (loops: Loops, run: string) => Promise<unknown>][] = [
  ['resume', (loops, run) => loops.resume(run)],
  ['steer', (loops, run) => loops.steer(run, 'go on')],
  ['pause', (loops, run) => loops.pause(run)],
  ['abort', (loops, run) => loops.abort(run)],
];

test.each(COMMANDS)('%s of a damaged run is refused, and leaves every file of its store as it was', async (_, ask) => {
  const { path, run } = await damaged();
  const before = everythingAt(path);
  const log = openSqliteLog(path);
  await expect(ask(new Loops({ log, model: model() }), run)).rejects.toMatchObject({ kind: 'damaged' });
  expect(await log.inbox(run)).toEqual([]);
  await log.close();
  expect(everythingAt(path)).toEqual(before);
});

/** A store with two open runs. */
async function twoOpen(): Promise<{ path: string; runs: readonly string[] }> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const loops = new Loops({ log, model: model() });
  for (const prompt of ['x', 'y']) await (await loops.start({ prompt, tools: [] })).done;
  const runs = (await log.runs()).map(({ run }) => run);
  await log.close();
  const last = 'SELECT max(version) FROM events AS own WHERE own.run = events.run';
  edit(path, `DELETE FROM events WHERE version = (${last})`, 'UPDATE runs SET closed = NULL');
  rmSync(`${path}.heads`, { recursive: true });
  return { path, runs };
}

test.each(COMMANDS)('%s of a run that is listed in the tree of another one touches neither', async (_, ask) => {
  const { path, runs } = await twoOpen();
  const [named = '', other = ''] = runs;
  edit(path, `UPDATE runs SET root = '${other}' WHERE run = '${named}'`);
  const before = everythingAt(path);
  const log = openSqliteLog(path);
  const message = expect.stringContaining(`run ${named} is listed in the tree of ${other}`);
  await expect(ask(new Loops({ log, model: model() }), named)).rejects.toMatchObject({ kind: 'damaged', message });
  // Nor is the other one commanded, in whose tree there is a run that does not belong there.
  await expect(ask(new Loops({ log, model: model() }), other)).rejects.toMatchObject({ kind: 'damaged' });
  await log.close();
  expect(everythingAt(path)).toEqual(before);
});
