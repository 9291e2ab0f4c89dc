import { createHash } from 'node:crypto';
import { test } from 'vitest';
import { TENTHS, tierOf } from './tier.ts';

const { tenth } = tierOf(process.env, import.meta.dirname);

/** Whether these tests take the one of this name: one of ten does, another with another tenth, or all. */
const isTaken = (name: string): boolean =>
  tenth === null || createHash('sha256').update(name).digest().readUInt32BE() % TENTHS === tenth;

/**
 * A test of whole runs, beside another one of its row that is always taken: `npm test` takes one of ten, and the next
 * commit takes others.
 */
export function testInTurn(name: string, run: () => Promise<void> | void): void {
  // oxlint-disable-next-line vitest/valid-title, vitest/no-conditional-tests -- the titles are where this is called
  if (isTaken(name)) test(name, run);
}
