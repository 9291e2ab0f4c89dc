import { expect, test } from 'vitest';
import { servedLoops } from '../../src/cli/args/loops-to-serve.ts';
import type { Session } from '../../src/cli/session.ts';
import { LogError } from '../../src/log/log.ts';

/** A session whose log cannot be opened. */
function without(remedy: string): Session {
  const fail = () => Promise.reject(new LogError('unavailable', 'log.db', 'it is so', remedy));
  return { loops: fail, loopsOrNew: fail } as unknown as Session;
}

test.each([
  ['Make log.db writable, then try again.', 'Make log.db writable, then try again. Or only show it: --read-only.'],
  ['Free the disk.', 'Free the disk.'],
])('W1 a log that cannot be served says what to do: %s', async (remedy, said) => {
  await expect(servedLoops(without(remedy), false)).rejects.toThrow(`log.db: it is so. ${said}`);
});
