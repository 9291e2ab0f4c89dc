import type { Command } from 'commander';
import { withGroundFlags, withOptionFlags } from '../args/run-flags.ts';
import type { ConfigFlags } from '../verbs/config.ts';
import type { GroundsFlags } from '../verbs/grounds.ts';
import { type Flags, type VerbParts, later, JSON_FLAG, aboutRun, reference } from './verb-parts.ts';

const config = later(async () => (await import('../verbs/config.ts')).config);
const events = later(async () => (await import('../verbs/events.ts')).events);
const grounds = later(async () => (await import('../verbs/grounds.ts')).grounds);
const rebuild = later(async () => (await import('../verbs/rebuild.ts')).rebuild);
const runs = later(async () => (await import('../verbs/runs.ts')).runs);
const show = later(async () => (await import('../verbs/show.ts')).show);

/** Verbs that show runs and the configuration. */
export function addReadingVerbs({ session, ends, verb }: VerbParts): void {
  withOptionFlags(verb('config', 'show the effective configuration, and where each value comes from'))
    .option(...JSON_FLAG)
    .option('--origin', 'where each value is from')
    .option('--models', 'providers, whether their keys are found, and models with their prices')
    .option('--schema', 'the JSON Schema of a configuration file')
    .action((flags: ConfigFlags, command: Command) => ends(config(session(command), flags)));

  withGroundFlags(verb('grounds', 'show the files that checks rest on: tests, configuration, what the checks run'))
    .option('--all', 'each file, with why it is one')
    .option(...JSON_FLAG)
    .action((flags: GroundsFlags, command: Command) => ends(grounds(session(command), flags)));

  verb('runs', 'list the runs, newest first')
    .option(...JSON_FLAG)
    .option('--limit <n>', 'how many', '20')
    .action((flags: { json?: boolean; limit: string }, command: Command) => ends(runs(session(command), flags)));

  aboutRun(verb('show', 'show a run on one page; without RUN, the newest'))
    .option(...JSON_FLAG)
    .option('--prompt', 'what its model was told: the system prompt, the task, the feedback on its attempts')
    .action((id: string | undefined, flags: Flags & { prompt?: boolean }, command: Command) =>
      ends(show(session(command), reference(id, flags), flags)),
    );

  aboutRun(verb('events', 'list what happened in a run, one line for each event'))
    .option(...JSON_FLAG)
    .option('-f, --follow', 'go on listing until the run has ended')
    .option('--tracker', 'its phases and what they cost, as JSON lines, where its loop has phases')
    .action((id: string | undefined, flags: Flags & { follow?: boolean; tracker?: boolean }, command: Command) =>
      ends(events(session(command), reference(id, flags), flags)),
    );

  aboutRun(verb('rebuild', 'show the state of a run at any version, folded from its log; changes nothing'))
    .option('--at <version>', 'up to this event; without it, the newest')
    .option(...JSON_FLAG)
    .action((id: string | undefined, flags: Flags & { at?: string }, command: Command) =>
      ends(rebuild(session(command), reference(id, flags), flags)),
    );
}
