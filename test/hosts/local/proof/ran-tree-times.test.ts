import { expect, test, vi } from 'vitest';
import type { Check } from '../../../../machines/settings.ts';
import { runLevels } from '../../../../src/actors/verify/verify-actor.ts';
import { ranTree } from '../../../../src/verification/check-tree.ts';

vi.mock(import('../../../../src/actors/verify/verify-actor.ts'), async (original) => ({
  ...(await original()),
  runLevels: vi.fn(async () => null),
}));

const check: Check = { level: 'L0', name: 'tests', command: 'npm test', timeoutMs: 600_000 };
const before = { name: 'tests', passed: true, output: '', exitCode: 0, durationMs: 9_000 };

test('B8 the checks of a proof have the times of their baseline', async () => {
  vi.mocked(runLevels).mockResolvedValueOnce({ levels: [], tests: new Map() });
  const at = { directory: '/', elsewhere: { written: '/' }, pointers: [], touched: async () => [] };
  const legs = { place: async () => at, prepare: [], call: {} } as unknown as Parameters<typeof ranTree>[2];
  const how = { run: 'r-1', checks: [check], environment: [], signal: new AbortController().signal, delta: () => {} };
  await ranTree('first', 'a-tree', legs, { ...how, timesOf: [{ level: 'L0', passed: true, checks: [before] }] });
  expect(vi.mocked(runLevels).mock.lastCall?.[0]).toEqual([{ ...check, timeoutMs: 90_000 }]);
});
