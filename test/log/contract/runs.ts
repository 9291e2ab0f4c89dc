import { expect, test } from 'vitest';
import { appended, AT, decided, history } from '../facts.ts';
import type { Fresh } from './fresh.ts';

export function runs(fresh: Fresh): void {
  test('a record says where a run stands, and runs come oldest first', async () => {
    const log = await fresh();
    const { epoch } = await history(log, 'b', 1);
    await history(log, 'a', 1);
    const later = '2026-03-01T12:34:56.789Z';
    const events = [decided('budget', { at: later })];
    const [last] = await appended(log.append({ run: 'b', events, expectedVersion: 1, epoch, closes: 'budget' }));
    const record = {
      run: 'b',
      root: 'b',
      parentEffect: null,
      forkedFrom: null,
      version: 2,
      hash: last?.hash,
      createdAt: AT,
      updatedAt: later,
      closed: 'budget',
    };
    expect(await log.run('b')).toEqual(record);
    expect(await log.runs()).toEqual([record, await log.run('a')]);
    expect(await log.run('c')).toBeNull();
    expect(await log.findByParentEffect('b/1/0')).toBeNull();
  });
}
