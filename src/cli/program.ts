import { Command, CommanderError } from 'commander';
import { flagOf } from '../text/option-names.ts';
import { usage } from './pages/complaint.ts';
import { EXIT_TABLE } from './terminal/exit-status.ts';
import { exampleText } from './args/examples.ts';
import type { RunReference } from './args/find-run.ts';
import type { Streams } from './terminal/output.ts';
import {
  type ChangeFlags,
  type JudgeFlags,
  type OptionFlags,
  type RunFlags,
  withBounds,
  withChanges,
  withFormat,
  withOptionFlags,
  withOtherJudges,
  withProgramFlags,
  withRunFlags,
} from './args/run-flags.ts';
import type { CommonFlags, Session } from './session.ts';
import type { ConfigFlags } from './verbs/config.ts';
import type { MachineFlags } from './verbs/machine.ts';
import { version } from '../log/package.ts';

/** A verb's module is loaded when the verb is called, so that the help does not wait for it. */
const later =
  <Words extends unknown[]>(load: () => Promise<(...words: Words) => Promise<number>>) =>
  async (...words: { [Place in keyof Words]: Words[Place] | Promise<Words[Place]> }): Promise<number> => {
    const given = (await Promise.all(words)) as Words;
    return (await load())(...given);
  };

const abort = later(async () => (await import('./verbs/abort.ts')).abort);
const answer = later(async () => (await import('./verbs/answer.ts')).answer);
const check = later(async () => (await import('./verbs/check.ts')).check);
const config = later(async () => (await import('./verbs/config.ts')).config);
const demo = later(async () => (await import('./verbs/demo.ts')).demo);
const events = later(async () => (await import('./verbs/events.ts')).events);
const extend = later(async () => (await import('./verbs/extend.ts')).extend);
const grant = later(async () => (await import('./verbs/grant.ts')).grant);
const lab = later(async () => (await import('./verbs/lab.ts')).lab);
const machine = later(async () => (await import('./verbs/machine.ts')).machine);
const machineBound = later(async () => (await import('./verbs/machine-bound.ts')).machineBound);
const newOne = later(async () => (await import('./verbs/new.ts')).newOne);
const pause = later(async () => (await import('./verbs/pause.ts')).pause);
const rebuild = later(async () => (await import('./verbs/rebuild.ts')).rebuild);
const redecide = later(async () => (await import('./verbs/redecide.ts')).redecide);
const resume = later(async () => (await import('./verbs/resume.ts')).resume);
const run = later(async () => (await import('./verbs/run.ts')).run);
const runs = later(async () => (await import('./verbs/runs.ts')).runs);
const show = later(async () => (await import('./verbs/show.ts')).show);
const steer = later(async () => (await import('./verbs/steer.ts')).steer);

const RUN = 'its id, or 4 or more characters that it begins or ends with';
const JSON_FLAG = ['--json', 'print JSON'] as const;

type LastFlag = { readonly last?: boolean };
type Flags = { readonly json?: boolean } & LastFlag;

/** What the caller gets back: the flags that were parsed and the exit status. */
export interface Called {
  flags: Partial<CommonFlags>;
  status: number;
}

/** The verbs and their flags. Parsing calls one of them, and `called` then knows the exit status. */
export function programOf(streams: Streams, called: Called): Command {
  const program = withProgramFlags(new Command('loopfold'))
    .description('Runs AI agent loops as event-sourced state machines: verified, resumable, explainable.')
    .version(version())
    .option(`-C, ${flagOf('directory')} <dir>`, 'the project to work in, and whose log to use')
    .option('--no-color', 'no colour, as with NO_COLOR; output that is not a terminal has no colour')
    .configureHelp({ showGlobalOptions: true })
    .configureOutput({ outputError: () => {} })
    .addHelpText('after', `\n${EXIT_TABLE}`)
    .exitOverride();

  const session = async (command: Command, apart: OptionFlags = {}): Promise<Session> => {
    const flags = { ...command.optsWithGlobals<CommonFlags & OptionFlags>(), ...apart };
    called.flags = flags;
    const { Session } = await import('./session.ts');
    return new Session(streams, command.name(), flags);
  };
  const ends = async (status: Promise<number>) => {
    called.status = await status;
  };

  const verb = (name: string, description: string) =>
    program.command(name).description(description).addHelpText('after', exampleText(name));

  verb('demo', 'watch an agent fix a small project: two attempts fail their checks, the third is proven').action(() =>
    ends(demo(streams)),
  );

  withRunFlags(verb('run', 'start a run'))
    .argument('[prompt]', 'the task; - or nothing: read it from stdin')
    .action((prompt: string | undefined, flags: RunFlags, command: Command) =>
      ends(run(session(command), prompt, flags)),
    );

  withFormat(aboutRun(verb('resume', 'continue after a pause or a crash; without RUN, the newest run')))
    .option('--migrate', 'migrate the run to the newest version of its machine first')
    .action((id: string | undefined, flags: LastFlag & { migrate?: boolean }, command: Command) =>
      ends(resume(session(command), reference(id, flags), flags)),
    );

  withFormat(
    withChanges(
      aboutRun(verb('extend', 'continue a run that did not succeed, as a new run with other limits or strategy')),
    ),
  ).action((id: string | undefined, flags: ChangeFlags & LastFlag, command: Command) =>
    ends(extend(session(command), named(id, flags), flags)),
  );

  aboutRun(verb('answer', 'answer a question of a run; a run without a process continues with resume'))
    .argument('[text]', 'the answer; - reads it from stdin')
    .option('--call <id>', 'which question, where several are open')
    .action(
      (id: string | undefined, text: string | undefined, flags: LastFlag & { call?: string }, command: Command) => {
        const [about, said] = withRest(id, text, flags);
        return ends(answer(session(command), about, { ...flags, text: needed('TEXT', said) }));
      },
    );

  for (const [name, granted, what] of [
    ['approve', true, 'grant'],
    ['deny', false, 'refuse'],
  ] as const) {
    aboutRun(verb(name, `${what} a permission that a run asks for`))
      .argument('[call]', 'which request, where several are open')
      .option('--reason <text>', 'for the model to read')
      .action(
        (
          id: string | undefined,
          callId: string | undefined,
          flags: LastFlag & { reason?: string },
          command: Command,
        ) => {
          const [about, call] = withRest(id, callId, flags);
          return ends(grant(session(command), about, { ...flags, granted, ...(call === undefined ? {} : { call }) }));
        },
      );
  }

  aboutRun(verb('steer', 'add to the task of a run'))
    .argument('[text]', 'what to tell its model; - reads it from stdin')
    .action((id: string | undefined, text: string | undefined, flags: LastFlag, command: Command) => {
      const [about, said] = withRest(id, text, flags);
      return ends(steer(session(command), about, needed('TEXT', said)));
    });

  aboutRun(verb('pause', 'pause a run in the process that owns it; resume continues it')).action(
    (id: string | undefined, flags: LastFlag, command: Command) => ends(pause(session(command), named(id, flags))),
  );

  aboutRun(verb('abort', 'end a run, in the process that owns it or here'))
    .option('--reason <text>', 'kept in the log')
    .action((id: string | undefined, flags: LastFlag & { reason?: string }, command: Command) =>
      ends(abort(session(command), named(id, flags), flags)),
    );

  withOptionFlags(verb('config', 'show the effective configuration, and where each value comes from'))
    .option(...JSON_FLAG)
    .option('--origin', 'where each value is from')
    .option('--models', 'providers, whether their keys are found, and models with their prices')
    .option('--schema', 'the JSON Schema of a configuration file')
    .action((flags: ConfigFlags, command: Command) => ends(config(session(command), flags)));

  verb('runs', 'list the runs, newest first')
    .option(...JSON_FLAG)
    .option('--limit <n>', 'how many', '20')
    .action((flags: { json?: boolean; limit: string }, command: Command) => ends(runs(session(command), flags)));

  aboutRun(verb('show', 'show a run on one page; without RUN, the newest'))
    .option(...JSON_FLAG)
    .action((id: string | undefined, flags: Flags, command: Command) =>
      ends(show(session(command), reference(id, flags), flags)),
    );

  aboutRun(verb('events', 'list what happened in a run, one line for each event'))
    .option(...JSON_FLAG)
    .option('-f, --follow', 'go on listing until the run has ended')
    .action((id: string | undefined, flags: Flags & { follow?: boolean }, command: Command) =>
      ends(events(session(command), reference(id, flags), flags)),
    );

  aboutRun(verb('rebuild', 'show the state of a run at any version, folded from its log; changes nothing'))
    .option('--at <version>', 'up to this event; without it, the newest')
    .option(...JSON_FLAG)
    .action((id: string | undefined, flags: Flags & { at?: string }, command: Command) =>
      ends(rebuild(session(command), reference(id, flags), flags)),
    );

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
    .action((name: string | undefined, flags: MachineFlags & { bound?: boolean }, command: Command) =>
      ends((flags.bound ? machineBound : machine)(session(command), name, flags)),
    );

  verb('new', 'write the folder of a loop of your own, which runs and passes its proofs')
    .argument('<what>', 'loop')
    .argument('<name>', 'its name, such as my-loop: of the folder, its files, and its runs in a log')
    .action((what: string, name: string, _flags: object, command: Command) =>
      ends(newOne(session(command), what, name)),
    );

  verb('check', 'replay recorded runs on the current machines, and report where they differ; changes nothing')
    .argument(
      '[run or path...]',
      `of a run ${RUN}; of files with recorded runs, a file or a folder; without any, every run of the log`,
    )
    .option('--last', 'the newest run')
    .option(...JSON_FLAG)
    .action((words: string[], flags: Flags, command: Command) => ends(check(session(command), words, flags)));

  withOtherJudges(
    verb('redecide', 'show what another strategy, detectors or limits would have decided; calls no model'),
  )
    .argument('[run...]', `${RUN}; several give a table`)
    .option('--all', 'every run of the log')
    .option('--last', 'the newest run')
    .option('--corpus <dir>', 'in place of runs of the log, labelled stories: precision and recall of the detectors')
    .option(...JSON_FLAG)
    .action(
      (
        ids: string[],
        { corpus, ...flags }: JudgeFlags & Flags & { all?: boolean; corpus?: string },
        command: Command,
      ) => {
        const isOfRuns = ids.length > 0 || flags.all || flags.last;
        if (corpus !== undefined && isOfRuns) throw usage('RUN', 'either runs or --corpus', 'both');
        const here = session(command, { strategy: undefined });
        return ends(corpus === undefined ? redecide(here, ids, flags) : lab(here, { ...flags, corpus }));
      },
    );

  program
    .helpCommand(false)
    .command('help')
    .description('display help for command')
    .argument('[command]')
    .action((name: string | undefined) => {
      const asked = name === undefined ? program : program.commands.find((one) => one.name() === name);
      if (!asked) throw new CommanderError(1, 'commander.unknownCommand', `error: unknown command '${name}'`);
      asked.outputHelp();
    });

  return program;
}

const aboutRun = (command: Command): Command => command.argument('[run]', RUN).option('--last', 'the newest run');

const reference = (run: string | undefined, { last = false }: LastFlag): RunReference => ({ run, last });

/** The run and the argument after it. With `--last` no run is named, and the first argument is that one. */
function withRest(
  first: string | undefined,
  second: string | undefined,
  flags: LastFlag,
): [RunReference, string | undefined] {
  if (!flags.last) return [named(first, flags), second];
  return second === undefined ? [named(undefined, flags), first] : [named(first, flags), second];
}

function needed(field: string, value: string | undefined): string {
  if (value === undefined) throw usage(field, 'words, or - to read them from stdin', 'nothing');
  return value;
}

/** A verb that changes things does not guess. */
function named(run: string | undefined, flags: LastFlag): RunReference {
  if (run === undefined && !flags.last) throw usage('RUN', 'the id of a run, or --last', 'nothing', ['runs']);
  return reference(run, flags);
}
