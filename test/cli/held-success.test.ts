import { Writable } from 'node:stream';
import { from, NEVER } from 'rxjs';
import { expect, test } from 'vitest';
import { RunView } from '../../src/cli/live/run-view.ts';
import { Output } from '../../src/cli/terminal/output.ts';
import type { Envelope } from '../../src/log/envelope.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { edit } from '../log/damaging.ts';
import { temporaryStore } from '../log/store.ts';
import { createHarness } from '../support/harness.ts';

import { verdicts } from '../support/stand-ins.ts';

/** A view that was shown every event of a run that has succeeded. */
async function watched() {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const model = { answers: [{ text: 'tried' }] };
  const { supervisor, settingsOf } = createHarness({ log, model, services: { verify: verdicts(true) } });
  const { run, done } = await supervisor.start(settingsOf({ checks: ['true'] }));
  await done;
  let written = '';
  const stream = new Writable({ write: (chunk, _encoding, next) => ((written += String(chunk)), next()) });
  const output = new Output(stream as unknown as NodeJS.WriteStream, { colour: false, redraw: false });
  const shown = { quiet: false, verbose: false, deltas: false };
  const view = new RunView({ out: output, err: output }, 'text', shippedLoops, shown);
  const events: Envelope[] = [];
  for await (const event of log.read(run)) events.push(event);
  view.follow(from(events), NEVER);
  return { path, log, run, view, text: () => written };
}

const LOST = { kind: 'lost', detail: 'another process wrote' } as const;

test('a success that was decided in a run this process has lost is shown where its tree holds', async () => {
  const { log, run, view, text } = await watched();
  expect(text()).not.toContain('success');
  await view.left(log, run, LOST);
  expect(text().match(/success.*: the checks passed/g)).toHaveLength(1);
  await log.close();
});

test('a success that was decided in a run this process has lost is not shown where its tree is broken', async () => {
  const { path, log, run, view, text } = await watched();
  edit(path, `UPDATE events SET payload = '{}' WHERE version = 2`);
  await expect(view.left(log, run, LOST)).rejects.toMatchObject({ name: 'LogError', kind: 'damaged' });
  expect(text()).not.toContain('success');
  await log.close();
});
