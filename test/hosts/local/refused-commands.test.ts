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

test.each<[what: string, ask: (loops: Loops, run: string) => Promise<unknown>]>([
  ['resume', (loops, run) => loops.resume(run)],
  ['steer', (loops, run) => loops.steer(run, 'go on')],
  ['pause', (loops, run) => loops.pause(run)],
  ['abort', (loops, run) => loops.abort(run)],
])('%s of a damaged run is refused, and leaves every file of its store as it was', async (_, ask) => {
  const { path, run } = await damaged();
  const before = everythingAt(path);
  const log = openSqliteLog(path);
  await expect(ask(new Loops({ log, model: model() }), run)).rejects.toMatchObject({ kind: 'damaged' });
  expect(await log.inbox(run)).toEqual([]);
  await log.close();
  expect(everythingAt(path)).toEqual(before);
});
