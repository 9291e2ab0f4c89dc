import type { Command } from 'commander';

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

/** The flag of ours that an unknown one of another program stands for. Null: these commands have no such flag. */
export function otherFlag(unknown: string, commands: readonly Command[]): string | null {
  const meant = CALLED.get(unknown);
  return commands.some(({ options }) => options.some(({ long }) => long === meant)) ? (meant ?? null) : null;
}
