import type { Command } from 'commander';
import type { CopyFlags } from '../verbs/copy.ts';
import type { GcFlags } from '../verbs/gc.ts';
import { JSON_FLAG, later, type VerbParts } from './verb-parts.ts';

const copy = later(async () => (await import('../verbs/copy.ts')).copy);
const gc = later(async () => (await import('../verbs/gc.ts')).gc);

/** Verbs that look after what runs leave on the disk, and where it lies. */
export function addHousekeepingVerbs({ session, ends, verb }: VerbParts): void {
  verb('gc', 'remove worktrees and captures of runs that are gone; nothing of a run that can be resumed')
    .option('--dry-run', 'only say what would be removed')
    .option(
      '--older-than <age>',
      'also remove captures between start and end of runs that ended without success, and of all so long ago, such as 30d',
    )
    .option(...JSON_FLAG)
    .action((flags: GcFlags, command: Command) => ends(gc(session(command), flags)));

  verb('copy', 'copy all runs into another log, such as one on a server; hashes, marks and forks are kept')
    .requiredOption('--to <address>', 'the log that takes them: sqlite:PATH, postgres:… or env:NAME')
    .option(...JSON_FLAG)
    .action((flags: CopyFlags, command: Command) => ends(copy(session(command), flags)));
}
