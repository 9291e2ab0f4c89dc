import type { Command } from 'commander';
import { withOptionFlags } from '../args/run-flags.ts';
import { type SubmitFlags, withSubmitFlags } from '../args/submit-flags.ts';
import type { WorkFlags } from '../args/work-flags.ts';
import { JSON_FLAG, later, RUN, type VerbParts } from './verb-parts.ts';

const queue = later(async () => (await import('../verbs/queue.ts')).queue);
const requeue = later(async () => (await import('../verbs/requeue.ts')).requeue);
const submit = later(async () => (await import('../verbs/submit.ts')).submit);
const work = later(async () => (await import('../verbs/work.ts')).work);

const collected = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Verbs for runs that are recorded in one place and worked on in others. */
export function addFleetVerbs({ session, ends, verb }: VerbParts): void {
  withSubmitFlags(verb('submit', 'record a run for whichever worker of the log is free; own nothing of it'))
    .argument('[prompt]', 'the task; - or nothing: read it from stdin')
    .option(...JSON_FLAG)
    .action((prompt: string | undefined, flags: SubmitFlags, command: Command) =>
      ends(submit(session(command), prompt, flags)),
    );

  withOptionFlags(verb('work', 'work on what is submitted to the log, with the options of this call, until a signal'))
    .option('--concurrency <n>', 'runs that are worked on at once', '1')
    .option('--grace <time>', 'how long a signal lets runs end by themselves before it pauses them (0)')
    .option('--until-idle', 'end when nothing is due')
    .option('--key-max-tokens <n>', 'tokens that the runs of one key may spend in a day (UTC)')
    .option('--key-max-cost <usd>', 'US dollars that the runs of one key may spend in a day (UTC)')
    .option('--workspaces <folder>', 'where it works on runs that name a repository: the same path on each machine')
    .option('--repository <address>', 'a repository that runs may name; * stands for any part (repeat)', collected)
    .option('--captures <address>', 'the repository that gets what was captured of their workspaces')
    .option(
      '--trust-config <sha256>',
      'the content of a configuration file in a repository that is used (repeat)',
      collected,
    )
    .action((flags: WorkFlags, command: Command) => ends(work(session(command), flags)));

  verb('queue', 'list what was submitted and has not ended')
    .option(...JSON_FLAG)
    .action((flags: { readonly json?: boolean }, command: Command) => ends(queue(session(command), flags)));

  verb('requeue', 'hand a run back to the workers that was paused or set aside')
    .argument('<run>', RUN)
    .action((run: string, _flags: object, command: Command) => ends(requeue(session(command), run)));
}
