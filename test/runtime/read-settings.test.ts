import { expect, test } from 'vitest';
import type { EventStore, Range } from '../../src/log/event-store.ts';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { readSettings } from '../../src/runtime/read-settings.ts';
import { appended, fact, take } from '../../src/testing/log-contract/contract.ts';
import { createHarness } from '../support/harness.ts';

test('the settings of a run are those of its start, and no other event is read', async () => {
  const harness = createHarness({ model: { answers: [{ text: 'done' }] } });
  const { run } = await harness.play({ prompt: 'Mend the clock.' });
  const ranges: (Range | undefined)[] = [];
  const log = {
    ...harness.log,
    pages: (of: string, range?: Range) => (ranges.push(range), harness.log.pages(of, range)),
  } as EventStore;
  expect(await readSettings(log, run)).toMatchObject({ prompt: 'Mend the clock.' });
  expect(ranges).toEqual([{ from: 1, to: 1 }]);
});

test('a run that is not there, or whose start cannot be read or is no start, has no settings', async () => {
  const log = memoryLog();
  expect(await readSettings(log, 'nowhere')).toBeNull();
  const types = { unreadable: 'weather.changed', otherwise: 'run.steered' };
  for (const [run, type] of Object.entries(types)) {
    const { epoch } = await take(log, run);
    const events = [fact({ text: 'x' }, { type })];
    await appended(log.append({ run, events, expectedVersion: 0, epoch }));
    expect(await readSettings(log, run)).toBeNull();
  }
});
