import { type Command, CommanderError } from 'commander';
import { asJson } from './pages/as-json.ts';
import { again } from './args/again.ts';
import { Complaint } from './pages/complaint.ts';
import { complain } from './live/conclude.ts';
import { onEarlyExit, EXIT } from './terminal/exit-status.ts';
import type { OptionFlags } from './args/run-flags.ts';
import { otherFlag } from './args/other-flags.ts';
import { standardStreams, type Streams } from './terminal/output.ts';
import { type Called, programOf } from './program/program.ts';
import { failedResult } from './pages/result.ts';
import type { CommonFlags } from './args/session-config.ts';
import { wantsResult } from './terminal/early-stop.ts';

/** Runs the program with the arguments that follow its name, and prints what went wrong. Returns the exit status. */
export async function call(words: readonly string[]): Promise<number> {
  const streams = standardStreams(words.includes('--no-color'));
  const called: Called = { flags: {}, status: EXIT.success, words };
  const program = programOf(streams, called);
  const concluded = onEarlyExit((status) => {
    // An uncaught bug has been printed and has a status of its own.
    if (status === EXIT.internal) return status;
    return failed(new Complaint(EXIT.usage, NEVER_BEGAN), called, words, streams);
  });
  try {
    await program.parseAsync(words, { from: 'user' });
    const lost = await streams.out.failure();
    if (lost !== null) throw new Complaint(EXIT.environment, `stdout: it cannot be written (${lost})`);
    return called.status;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return EXIT.success;
    if (error instanceof CommanderError && isAlone(error, program)) {
      const { Session } = await import('./session.ts');
      const { greet } = await import('./verbs/greet.ts');
      const session = new Session(streams, 'run', program.opts<CommonFlags & OptionFlags>(), null, words);
      return await greet(session, { wantsResult: wantsResult(words) });
    }
    const verb = program.commands.find((command) => command.name() === program.args[0])?.name();
    const isMisspoken = error instanceof CommanderError;
    const complaint = isMisspoken ? misspoken(error, program, verb) : await expected(error, verb ?? '');
    return failed(complaint, called, words, streams);
  } finally {
    await called.session?.close();
    concluded();
  }
}

/** No verb was named at all. */
const isAlone = ({ code }: CommanderError, { args }: Command): boolean =>
  code === 'commander.help' && args.length === 0;

const NEVER_BEGAN = 'the process ended before it was done: a module it loaded ended it, or never finished loading';

function misspoken({ code, message }: CommanderError, program: Command, verb: string | undefined): Complaint {
  const help = verb === undefined || verb === 'help' ? ['--help'] : [verb, '--help'];
  if (code === 'commander.help') return new Complaint(EXIT.usage, 'name a verb', help);
  const said = message.replace(/^error: /, '').replace('\n(', ' (');
  if (code === 'commander.unknownOption') {
    const [unknown = ''] = /--[\w-]+/.exec(said) ?? [];
    const isSuggested = said.includes('Did you mean');
    const meant = isSuggested
      ? null
      : otherFlag(unknown, [program, ...program.commands.filter((one) => one.name() === verb)]);
    return new Complaint(EXIT.usage, meant === null ? said : `${said} (Did you mean ${meant}?)`, help);
  }
  if (code !== 'commander.unknownCommand') return new Complaint(EXIT.usage, said, help);
  const verbs = program.commands.map((one) => one.name()).join(', ');
  return new Complaint(EXIT.usage, `${said}\nVerbs: ${verbs}`, help);
}

/** The module that words errors of runs is loaded only when there is an error. */
const expected = async (error: unknown, verb: string): Promise<Complaint> =>
  (await import('./pages/complaint-of.ts')).complaintOf(error, verb);

function failed(complaint: Complaint, { flags }: Called, words: readonly string[], streams: Streams): number {
  const { next: help } = complaint;
  const next = help && ('command' in help ? help.command : again(help, flags));
  complain(streams, complaint, next);
  if (wantsResult(words)) streams.out.line(asJson(failedResult(complaint, null, next === null ? [] : [next])));
  return complaint.status;
}
