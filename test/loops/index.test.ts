import { expect, test } from 'vitest';
import { catalogue } from '../../machines/index.ts';
import { shippedLoops } from '../../src/loops/index.ts';

test('every machine that folds a run has a definition that runs it, and the same way to a later version', () => {
  const told = (entries: typeof catalogue) =>
    entries.map(({ id, machine, migration }) => ({ id, machine, to: migration?.to.id, migrate: migration?.migrate }));
  expect(told(shippedLoops)).toEqual(told(catalogue));
});

test('a later version of a loop that ships is a definition too', () => {
  for (const { id, migration } of shippedLoops) {
    if (migration) expect(shippedLoops, `${id} leads to ${migration.to.id}`).toContain(migration.to);
  }
});
