import { expect, test } from 'vitest';
import { BLOB_THRESHOLD_BYTES } from '../../src/log/event-store.ts';
import type { NewEvent } from '../../src/log/envelope.ts';
import { openSqliteLog } from '../../src/log/sqlite/engine.ts';
import { edit } from './damaging.ts';
import { appended, decided, fact, take } from '../../src/testing/log-contract/contract.ts';
import { temporaryStore } from './store.ts';

const told = fact({ strategy: null, fault: null }, { type: 'strategy.ended' });
const continues = fact({ action: 'continue', reason: '', evidence: [] }, { type: 'decision.made' });
const large = fact(
  { action: 'stop', sink: { ending: 'budget' }, reason: 'x'.repeat(BLOB_THRESHOLD_BYTES), evidence: [] },
  { type: 'decision.made' },
);

/** What a store says of a run of these events, whatever the column `closed` is set to. */
async function endingsOf(events: readonly NewEvent[], closes?: string): Promise<readonly (string | null)[]> {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  const ends = closes === undefined ? {} : { closes };
  await appended(log.append({ run: 'a', events, expectedVersion: 0, epoch, ...ends }));
  const found = [(await log.run('a'))?.closed ?? null];
  for (const column of ['NULL', `'success'`, `'nonsense'`]) {
    edit(path, `UPDATE runs SET closed = ${column}`);
    found.push((await log.run('a'))?.closed ?? null);
  }
  await log.close();
  return found;
}

test('an ending is what the events say, whatever the column of the run says', async () => {
  expect(await endingsOf([continues, decided('cap_hit'), told], 'cap_hit')).toEqual(Array(4).fill('cap_hit'));
  expect(await endingsOf([large, told], 'budget')).toEqual(Array(4).fill('budget'));
});

test('a run that has not ended stays open, whatever the column of the run says', async () => {
  expect(await endingsOf([fact()])).toEqual(Array(4).fill(null));
  expect(await endingsOf([continues, fact()])).toEqual(Array(4).fill(null));
  // The decision is made, and its strategy not told yet.
  expect(await endingsOf([decided('success', { mark: 'decide.ending/1' })])).toEqual(Array(4).fill(null));
});

test('a chart that ends by another event is over once its writer noted so, by what it decided', async () => {
  const ended = await endingsOf([decided('abort', { mark: 'abort/0' })], 'abort');
  expect(ended).toEqual(['abort', null, 'abort', 'abort']);
});

test('a run that is said to be over takes its next event, and one that is over takes none', async () => {
  const path = temporaryStore();
  const log = openSqliteLog(path);
  const { epoch } = await take(log, 'a');
  await appended(log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch }));
  edit(path, `UPDATE runs SET closed = 'success'`);
  await appended(
    log.append({ run: 'a', events: [decided('abort'), told], expectedVersion: 1, epoch, closes: 'abort' }),
  );
  edit(path, 'UPDATE runs SET closed = NULL');
  const late = log.append({ run: 'a', events: [fact()], expectedVersion: 3, epoch });
  expect(await late).toEqual({ kind: 'closed', ending: 'abort' });
  await log.close();
});
