import { expect, test } from 'vitest';
import type { Batch } from '../../src/kernel/react.ts';
import { SNAPSHOT_EVERY_EVENTS } from '../../src/log/log.ts';
import { rebuild } from '../../src/runtime/load-run.ts';
import { storing } from '../../src/runtime/store-state.ts';
import { createHarness } from '../support/harness.ts';
import * as has from '../support/facts.ts';

/** A batch of three events that ends at this version. */
async function batchTo(version: number): Promise<Batch> {
  const { log, play } = createHarness({ model: { answers: [{ text: 'done' }] } });
  const { run } = await play();
  const rebuilt = await rebuild(log, run);
  if (rebuilt.kind !== 'loaded') throw new Error(rebuilt.kind);
  const events = ['a', 'b', 'c'].map((mark) => ({ ...has.warned, at: rebuilt.state.at, causation: null, mark }));
  return { state: { ...rebuilt.state, version }, events, activities: [] } as unknown as Batch;
}
const marks = ({ events }: Batch) => events.map(({ mark }) => mark);

test('the last event of a batch that reaches the border has the digest of the state, and no other', async () => {
  const { batch, state } = storing(await batchTo(SNAPSHOT_EVERY_EVENTS), SNAPSHOT_EVERY_EVENTS - 3);
  expect(marks(batch)).toEqual(['a', 'b', expect.stringMatching(/^c#[0-9a-f]{16}$/)]);
  expect(state).not.toBeNull();
});

test('a batch that reaches no border is recorded as it is', async () => {
  const before = await batchTo(SNAPSHOT_EVERY_EVENTS + 3);
  expect(storing(before, SNAPSHOT_EVERY_EVENTS)).toEqual({ batch: before, state: null });
});
