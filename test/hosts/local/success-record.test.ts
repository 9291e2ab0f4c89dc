import { readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { assertRecorded } from '../../../src/app/records/success-record.ts';
import { memoryLog, openSqliteLog } from '../../../src/log/sqlite/engine.ts';
import { edit } from '../../log/damaging.ts';
import { appended, decided, fact, take } from '../../../src/testing/log-contract/contract.ts';
import { temporaryStore } from '../../log/store.ts';

/** A log that is still open, with a run that has just succeeded. */
async function succeeded(path = temporaryStore()) {
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  await appended(log.append({ run: 'a', events: [fact(), fact()], expectedVersion: 0, epoch }));
  const events = [decided('success', { mark: 'decide.ending/1' }), fact({}, { type: 'strategy.ended' })];
  await appended(log.append({ run: 'a', events, expectedVersion: 2, epoch, closes: 'success' }));
  return { log, path };
}

test('a success is recorded where another connection finds it; one in memory needs no other', async () => {
  const { log } = await succeeded();
  await assertRecorded(log, 'a');
  expect(await log.verify('a')).toMatchObject({ kind: 'intact', version: 4 });
  await log.close();
  await assertRecorded(memoryLog(), 'a');
});

test.for<[string, (path: string) => void, string]>([
  ['whose log was cut to nothing', (path) => truncateSync(path, 0), 'diverged'],
  ['whose log is gone', (path) => rmSync(path), 'diverged'],
  ['whose events were edited', (path) => edit(path, `UPDATE events SET payload = '{}' WHERE version = 2`), 'damaged'],
  ['that lost its end', (path) => edit(path, 'DELETE FROM events WHERE version = 4'), 'diverged'],
  [
    'that lost its end and its note',
    (path) => (edit(path, 'DELETE FROM events WHERE version = 4'), rmSync(`${path}.heads/a`)),
    'diverged',
  ],
  [
    'whose log was overwritten by something else',
    (path) => writeFileSync(path, 'x'.repeat(readFileSync(path).length)),
    'damaged',
  ],
])('a success %s does not count as recorded', async ([, damage, kind]) => {
  const { log, path } = await succeeded();
  damage(path);
  await expect(assertRecorded(log, 'a')).rejects.toMatchObject({ name: 'LogError', kind });
  await log.close().catch(() => {});
});
