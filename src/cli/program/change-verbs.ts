import type { Command } from 'commander';
import type { ApplyFlags } from '../verbs/apply.ts';
import type { DiffFlags } from '../verbs/diff.ts';
import type { UndoFlags } from '../verbs/undo.ts';
import { type LastFlag, type VerbParts, later, aboutRun, JSON_FLAG, orOnly, RUN } from './verb-parts.ts';

const apply = later(async () => (await import('../verbs/apply.ts')).apply);
const diff = later(async () => (await import('../verbs/diff.ts')).diff);
const undo = later(async () => (await import('../verbs/undo.ts')).undo);

/** What a run has changed in its workspace: to see it, to take it, and to take it back. */
export function addChangeVerbs({ session, ends, verb }: VerbParts): void {
  verb('diff', 'show what a run has changed; without RUN, the newest')
    .argument('[run]', `${RUN}; RUN@VERSION, RUN@start or RUN@end is the workspace in that state`)
    .argument('[other]', 'the state to compare with')
    .option('--last', 'the newest run')
    .option('--iteration <n>', 'the change of one round alone: of an attempt with its checks, from 1')
    .option('--stat', 'only the files, with the lines added and removed')
    .option(...JSON_FLAG)
    .action((first: string | undefined, second: string | undefined, flags: DiffFlags, command: Command) =>
      ends(diff(session(command), first, second, flags)),
    );

  aboutRun(
    verb(
      'apply',
      'bring the change of a run, by default the newest, into the folder it was started for, all or nothing',
    ),
  )
    .option('--branch <name>', 'make a branch with one commit instead, on the commit the run began on')
    .option('--patch <file>', 'write a patch that git apply takes instead; - is stdout')
    .option('--check', 'only say whether it can be applied')
    .option(...JSON_FLAG)
    .action((id: string | undefined, flags: LastFlag & ApplyFlags, command: Command) =>
      ends(apply(session(command), orOnly(id, flags, 'newest'), flags)),
    );

  aboutRun(
    verb(
      'undo',
      'bring the files a run has changed, by default the newest, back to what they were; later changes stay',
    ),
  )
    .option('--check', 'only say what would be done')
    .option('--force', 'also where the same lines have changed since')
    .option(...JSON_FLAG)
    .action((id: string | undefined, flags: LastFlag & UndoFlags, command: Command) =>
      ends(undo(session(command), orOnly(id, flags, 'newest'), flags)),
    );
}
