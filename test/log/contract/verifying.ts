import { expect, test } from 'vitest';
import { history } from '../facts.ts';
import type { Fresh } from './fresh.ts';

export function verifying(fresh: Fresh): void {
  test('intact with the head, or unknown_run', async () => {
    const log = await fresh();
    await history(log, 'a', 3);
    const head = await log.run('a');
    expect(await log.verify('a')).toEqual({ kind: 'intact', version: 3, hash: head?.hash });
    expect(await log.verify('b')).toEqual({ kind: 'unknown_run' });
  });
}
