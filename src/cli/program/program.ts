import { Command, CommanderError } from 'commander';
import { flagOf } from '../../options/option-table.ts';
import { VERSION } from '../../log/program-version.ts';
import { exampleText } from '../args/examples.ts';
import { type OptionFlags, withProgramFlags } from '../args/run-flags.ts';
import type { CommonFlags, Session } from '../session.ts';
import { EXIT_TABLE } from '../terminal/exit-status.ts';
import type { Streams } from '../terminal/output.ts';
import { layeredHelp } from './help-layers.ts';
import { GROUPS } from './verb-groups.ts';

/** What the caller gets back: the flags that were parsed and the exit status. */
export interface Called {
  flags: Partial<CommonFlags>;
  status: number;
  /** As they were typed. */
  readonly words?: readonly string[];
  /** What the verb works with, to be closed. */
  session?: Session;
}

/** The verb whose help has two layers, and its common flags that no configuration has. */
const LAYERED = 'run';
const OWN_FLAGS = ['--prompt-file', '--continue', '--dry-run'] as const;

/** The verbs and their flags. Parsing calls one of them, and `called` then knows the exit status. */
export function programOf(streams: Streams, called: Called): Command {
  const program = withProgramFlags(new Command('loopfold'))
    .description('Runs AI agent loops as event-sourced state machines: verified, resumable, explainable.')
    .version(VERSION)
    .option(`-C, ${flagOf('directory')} <dir>`, 'the project to work in, and whose log to use')
    .option('--no-color', 'no colour, as with NO_COLOR; output that is not a terminal has no colour')
    .configureHelp({ showGlobalOptions: true })
    // What went wrong is said by the caller, in place of the whole help.
    .configureOutput({ outputError: () => {}, writeErr: () => {} })
    .addHelpText('after', `\n${EXIT_TABLE}`)
    .exitOverride();

  const session = async (command: Command, apart: OptionFlags = {}): Promise<Session> => {
    const flags = { ...command.optsWithGlobals<CommonFlags & OptionFlags>(), ...apart };
    called.flags = flags;
    const { Session } = await import('../session.ts');
    called.session = new Session(streams, command.name(), flags, null, called.words);
    return called.session;
  };
  const ends = async (status: Promise<number>) => {
    called.status = await status;
  };

  const verb = (name: string, description: string) =>
    name === LAYERED
      ? layeredHelp(program.command(name).description(description), OWN_FLAGS, called.words ?? [])
      : program.command(name).description(description).addHelpText('after', exampleText(name));

  for (const add of GROUPS) add({ streams, session, ends, verb });

  program
    .helpCommand(false)
    .command('help')
    .description('display help for command')
    .argument('[command]')
    .argument('[all]', 'of a verb with many flags: every one')
    .action((name: string | undefined) => {
      const asked = name === undefined ? program : program.commands.find((one) => one.name() === name);
      if (!asked) throw new CommanderError(1, 'commander.unknownCommand', `error: unknown command '${name}'`);
      asked.outputHelp();
    });

  return program;
}
