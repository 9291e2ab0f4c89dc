import type { Command } from 'commander';
import type { GcFlags } from '../verbs/gc.ts';
import { JSON_FLAG, later, type VerbParts } from './verb-parts.ts';

const gc = later(async () => (await import('../verbs/gc.ts')).gc);

/** Verbs that look after what runs leave on the disk. */
export function addHousekeepingVerbs({ session, ends, verb }: VerbParts): void {
  verb('gc', 'remove worktrees and captures of runs that are gone; nothing of a run that can be resumed')
    .option('--dry-run', 'only say what would be removed')
    .option(
      '--older-than <age>',
      'also remove captures between start and end of runs that ended without success, and of all so long ago, such as 30d',
    )
    .option(...JSON_FLAG)
    .action((flags: GcFlags, command: Command) => ends(gc(session(command), flags)));
}
