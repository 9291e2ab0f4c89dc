import type { Command } from 'commander';
import { type JudgeFlags, withBounds, withOtherJudges, withProofFlags } from '../args/run-flags.ts';
import { usage } from '../pages/complaint.ts';
import type { MachineFlags } from '../verbs/machine.ts';
import type { ProveFlags } from '../verbs/prove.ts';
import { aboutRun, type Flags, type LastFlag, type VerbParts, later, reference, RUN, JSON_FLAG } from './verb-parts.ts';

const check = later(async () => (await import('../verbs/check.ts')).check);
const lab = later(async () => (await import('../verbs/lab.ts')).lab);
const machine = later(async () => (await import('../verbs/machine.ts')).machine);
const machineBound = later(async () => (await import('../verbs/machine-bound.ts')).machineBound);
const machineCompiled = later(async () => (await import('../verbs/machine-compiled.ts')).machineCompiled);
const newOne = later(async () => (await import('../verbs/new.ts')).newOne);
const prove = later(async () => (await import('../verbs/prove.ts')).prove);
const redecideEvidence = later(async () => (await import('../verbs/redecide-evidence.ts')).redecideEvidence);
const repair = later(async () => (await import('../verbs/repair.ts')).repair);
const redecide = later(async () => (await import('../verbs/redecide.ts')).redecide);

/** Verbs about charts, and about recorded runs on other charts or judges. */
export function addJudgingVerbs(parts: VerbParts): void {
  addMachine(parts);
  addNew(parts);
  addCheck(parts);
  addProve(parts);
  addRedecide(parts);
}

/** Draws charts, and tells how many events a run can take. */
function addMachine({ session, ends, verb }: VerbParts): void {
  withBounds(verb('machine', 'draw the chart of a machine, or of a run with its path; else list the machines'))
    .argument('[name]', 'a loop (its newest machine), or a machine with its version, as listed')
    .option(
      '--format <format>',
      'mermaid, svg, json, or stately: source text that the editor imports (default: mermaid)',
    )
    .option('--depth <levels>', 'how many levels of states are drawn')
    .option(
      '--detail <what>',
      'of an svg: arrows alone; the events a state takes and stays, too (the default); actions as well',
    )
    .option('--run <run>', `the chart of a run, how often it was in each state, and its state now; ${RUN}`)
    .option('--last', 'the newest run')
    .option('--at <version>', 'the path up to this event; without it, up to the newest')
    .option('--json', 'as --format json')
    .option(
      '--bound',
      'no chart, but how many events a run can take at most: ' +
        'a new run with these options, or a recorded one from its present state',
    )
    .option('--compiled', 'no chart, but where the steps of the machine are compiled, or why XState takes them')
    .action((name: string | undefined, flags: MachineFlags & About, command: Command) =>
      ends(aboutMachine(flags)(session(command), name, flags)),
    );
}

/** Writes the folder of a new loop. */
function addNew({ session, ends, verb }: VerbParts): void {
  verb('new', 'write the folder of a loop of your own, which runs and passes its proofs')
    .argument('<what>', 'loop')
    .argument('<name>', 'its name, such as my-loop: of the folder, its files, and its runs in a log')
    .action((what: string, name: string, _flags: object, command: Command) =>
      ends(newOne(session(command), what, name)),
    );
}

/** Replays recorded runs, or repairs a damaged log. */
function addCheck({ session, ends, verb }: VerbParts): void {
  verb('check', 'replay recorded runs on the current machines, and report where they differ; changes nothing')
    .argument(
      '[run or path...]',
      `of a run ${RUN}; of files with recorded runs, a file or a folder; without any, every run of the log`,
    )
    .option('--last', 'the newest run')
    .option('--repair <file>', 'instead, save what can be read of a damaged log into a new file')
    .option(...JSON_FLAG)
    .action((words: string[], flags: Flags & { repair?: string }, command: Command) =>
      ends(
        flags.repair === undefined
          ? check(session(command), words, flags)
          : repair(session(command), flags.repair, flags),
      ),
    );
}

/** Runs the checks of a run again. */
function addProve({ session, ends, verb }: VerbParts): void {
  withProofFlags(
    aboutRun(verb('prove', 'run the checks of a run on exactly what it left, with the grounds of its start')),
  )
    .option('--trust-dependencies', 'take installed dependencies as they are, whenever they changed')
    .option(...JSON_FLAG)
    .action((id: string | undefined, flags: LastFlag & ProveFlags, command: Command) =>
      ends(prove(session(command), reference(id, flags), flags)),
    );
}

/** Judges recorded runs, or labelled stories, by other rules. */
function addRedecide({ session, ends, verb }: VerbParts): void {
  withOtherJudges(
    verb('redecide', 'show what another strategy, detectors or limits would have decided; calls no model'),
  )
    .argument('[run...]', `${RUN}; several give a table`)
    .option('--all', 'every run of the log')
    .option('--last', 'the newest run')
    .option('--evidence', 'what the rules of today would call the success of these runs, by what was recorded')
    .option('--corpus <dir>', 'in place of runs of the log, labelled stories: precision and recall of the detectors')
    .option(...JSON_FLAG)
    .action(
      (
        ids: string[],
        { corpus, evidence, ...flags }: JudgeFlags & Flags & { all?: boolean; corpus?: string; evidence?: boolean },
        command: Command,
      ) => {
        const isOfRuns = ids.length > 0 || flags.all || flags.last;
        if (corpus !== undefined && isOfRuns) throw usage('RUN', 'either runs or --corpus', 'both');
        if (corpus !== undefined && evidence) throw usage('--evidence', 'either --evidence or --corpus', 'both');
        const here = session(command, { strategy: undefined });
        if (evidence) return ends(redecideEvidence(here, ids, flags));
        return ends(corpus === undefined ? redecide(here, ids, flags) : lab(here, { ...flags, corpus }));
      },
    );
}

/** What is said of a machine instead of its chart. */
interface About {
  readonly bound?: boolean;
  readonly compiled?: boolean;
}

function aboutMachine({ bound, compiled }: About) {
  if (bound && compiled) throw usage('--compiled', 'either --bound or --compiled', 'both', ['machine', '--help']);
  if (compiled) return machineCompiled;
  return bound ? machineBound : machine;
}
