import type { Command } from 'commander';

/** What a flag is called elsewhere, and here. */
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

/** The flag that is meant by an unknown one, where no letter says so. Null: none that one of these commands takes. */
export function otherFlag(unknown: string, commands: readonly Command[]): string | null {
  const meant = CALLED.get(unknown);
  return commands.some(({ options }) => options.some(({ long }) => long === meant)) ? (meant ?? null) : null;
}
