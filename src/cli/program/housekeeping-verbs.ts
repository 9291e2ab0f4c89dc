import type { Command } from 'commander';
import { JSON_FLAG, later, type VerbParts } from './verb-parts.ts';

const gc = later(async () => (await import('../verbs/gc.ts')).gc);

/** Verbs that look after what runs leave on the disk. */
export function addHousekeepingVerbs({ session, ends, verb }: VerbParts): void {
  verb('gc', 'remove worktrees and captures of runs that are gone; nothing of a run that can be resumed')
    .option('--dry-run', 'only say what would be removed')
    .option(...JSON_FLAG)
    .action((flags: { dryRun?: boolean; json?: boolean }, command: Command) => ends(gc(session(command), flags)));
}
