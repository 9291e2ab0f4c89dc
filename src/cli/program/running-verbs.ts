import { type Command, Option } from 'commander';
import {
  type ChangeFlags,
  type RunFlags,
  withChanges,
  withFormat,
  withOptionFlags,
  withRunFlags,
} from '../args/run-flags.ts';
import type { ImproveCall } from '../verbs/improve.ts';
import { type LastFlag, type VerbParts, later, aboutRun, named, reference } from './verb-parts.ts';

const demo = later(async () => (await import('../verbs/demo.ts')).demo);
const extend = later(async () => (await import('../verbs/extend.ts')).extend);
const improve = later(async () => (await import('../verbs/improve.ts')).improve);
const report = later(async () => (await import('../verbs/report.ts')).report);
const resume = later(async () => (await import('../verbs/resume.ts')).resume);
const run = later(async () => (await import('../verbs/run.ts')).run);

type ImproveFlags = ImproveCall & { readonly report?: string | true; readonly html?: string };

/** Verbs that run something. */
export function addRunningVerbs({ streams, session, ends, verb }: VerbParts): void {
  verb('demo', 'watch an agent fix a small project: two attempts fail their checks, the third is proven').action(() =>
    ends(demo(streams)),
  );

  withRunFlags(verb('run', 'start a run'))
    .argument('[prompt]', 'the task; - or nothing: read it from stdin')
    .action((prompt: string | undefined, flags: RunFlags, command: Command) =>
      ends(run(session(command), prompt, flags)),
    );

  withOptionFlags(verb('improve', 'find what could be better, try it, and keep what is proven, on a branch of its own'))
    .argument('[focus]', 'what to look for above all')
    .option('--items <file>', 'a file with open items: one a line, or JSON')
    .option(
      '--min-relevance <score>',
      'the least relevant to try, from 0 to 1 (default: 0.6; with a list of items, 0.5)',
    )
    .option('--ideas', 'ask a model for ideas, too')
    .option('--experiments <n>', 'experiments that run at once, each in a worktree of its own (1)')
    .option('--approval', 'ask a person before a change is kept')
    .option('--pr-command <command>', 'opens a pull request: gets its text on standard input')
    .option('--dry-run', 'print what the loop would begin with; send and record nothing')
    .option('--json', 'with --dry-run or --report: print JSON')
    .option('--report [run]', 'start nothing: print what a run has found, tried and kept; without RUN, the newest')
    .addOption(new Option('--html <file>').hideHelp())
    .action((focus: string | undefined, { report: about, html, ...flags }: ImproveFlags, command: Command) =>
      ends(
        about === undefined && html === undefined
          ? improve(session(command), focus, flags)
          : report(session(command), { run: about, html, focus, json: flags.json }),
      ),
    );

  withFormat(aboutRun(verb('resume', 'continue after a pause or a crash; without RUN, the newest that has not ended')))
    .option('--migrate', 'migrate the run to the newest version of its machine first')
    .option('--take-over', 'the process that had it is gone, though it cannot be seen from here')
    .action((id: string | undefined, flags: LastFlag & { migrate?: boolean; takeOver?: boolean }, command: Command) =>
      ends(resume(session(command), reference(id, flags), flags)),
    );

  withFormat(
    withChanges(
      aboutRun(verb('extend', 'continue a run that did not succeed, as a new run with other limits or strategy')),
    ),
  ).action((id: string | undefined, flags: ChangeFlags & LastFlag, command: Command) =>
    ends(extend(session(command), named(id, flags), flags)),
  );
}
