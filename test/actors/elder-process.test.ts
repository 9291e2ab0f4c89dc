import { expect, test } from 'vitest';
import { recognisesProcesses } from '../../src/actors/command-mark.ts';
import { hasElder } from '../../src/actors/processes-above.ts';

const DAY_MS = 86_400_000;

test('V13 a process descends from one that was there before now', async () => {
  expect(await hasElder(new Date())).toBe(true);
});

test.runIf(recognisesProcesses())('V13 no process but the first was there before the machine', async () => {
  expect(await hasElder(new Date(Date.now() - 3650 * DAY_MS))).toBe(false);
});
