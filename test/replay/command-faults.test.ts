import { expect, test } from 'vitest';
import { memoryLog } from '../../src/log/sqlite/engine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { commandFaults } from '../../src/replay/command-faults.ts';
import { appended, fact, take } from '../../src/testing/log-contract/contract.ts';

test('a waiting command that no loop takes is named, unless the loop of its run is not known', async () => {
  const log = memoryLog();
  for (const [run, machine] of [
    ['a', 'turn@1'],
    ['b', 'own@1'],
  ] as const) {
    const { epoch } = await take(log, run);
    const started = fact({ machine }, { type: 'run.started' });
    await appended(log.append({ run, events: [started], expectedVersion: 0, epoch }));
    await log.post(run, { type: 'own.command', payload: null });
    await log.post(run, { type: 'run.steered', payload: { text: 'More.' } });
  }
  const reason = expect.stringContaining('own.command is not a command; known: ');
  expect(await commandFaults(log, shippedLoops)).toMatchObject([{ place: 'inbox, command 1', reason }]);
  expect(await commandFaults(log, [])).toEqual([]);
});
