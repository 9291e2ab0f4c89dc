import { expect, test } from 'vitest';
import { all, fact } from '../facts.ts';
import type { Fresh } from './fresh.ts';

export function closing(fresh: Fresh): void {
  test('close: whatever is asked afterwards says that the log is closed', async () => {
    const log = await fresh();
    await log.close();
    await log.close();
    const unavailable = { name: 'LogError', kind: 'unavailable' };
    await expect(log.run('a')).rejects.toMatchObject(unavailable);
    const append = log.append({ run: 'a', events: [fact()], expectedVersion: 0, epoch: 1 });
    await expect(append).rejects.toMatchObject(unavailable);
    await expect(all(log.read('a'))).rejects.toMatchObject(unavailable);
  });
}
