import type { Command } from 'commander';
import { nearest } from '../../text/nearest.ts';

/** The names that other programs give a flag, and ours. */
const CALLED: ReadonlyMap<string, string> = new Map([
  ['--db', '--log'],
  ['--database', '--log'],
  ['--store', '--log'],
  ['--check', '--verify'],
  ['--checks', '--verify'],
  ['--test', '--verify'],
  ['--cwd', '--directory'],
  ['--dir', '--directory'],
  ['--timeout', '--max-time'],
  ['--budget', '--max-cost'],
]);

/**
 * The flag of ours that an unknown one stands for: by the name that other programs give it, or misspelt. Flags that the
 * short help leaves out count, too. Returns null where these commands have no such flag.
 */
export function otherFlag(unknown: string, commands: readonly Command[]): string | null {
  const known = commands.flatMap(({ options }) => options.flatMap(({ long }) => long ?? []));
  const meant = CALLED.get(unknown);
  return meant !== undefined && known.includes(meant) ? meant : nearest(unknown, known);
}
