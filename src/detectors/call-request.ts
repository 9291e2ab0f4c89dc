import type { ToolCall } from '../../machines/events.ts';
import { answersWithOne } from './answer-commands.ts';
import type { Observed } from './observation.ts';
import { wordsIn } from './own-words.ts';
import { replacementOf } from './edit-target.ts';
import { actionOf } from './signature.ts';
import { commandOf, says, type ToolTraits } from './traits.ts';
import { waitIn } from './waits.ts';
import { isWritingCommand, writesIntoFile } from './write-commands.ts';
import { isReading, withoutLaunchers } from '../evidence/reading-commands.ts';
import { partsOf, wordsOf } from '../evidence/shell-syntax.ts';

/** Readers for a check, which change or test something for an agent. */
const DOES: ReadonlySet<string> = new Set('test [ [[ true false rm mkdir touch git sed awk'.split(' '));
const GIT_LOOKS: ReadonlySet<string> = new Set('status log show diff grep blame ls-files branch rev-parse'.split(' '));
const COMPILES = /tsc|tsgo|lint|mypy|pyright|flake8|gcc|g\+\+|clang|rustc|javac|go|cargo|check|compile/;

/**
 * Tells of a command that is not there to change something whether it reads what is there, and does no more: no test
 * and no compiler runs, and its output goes into no file.
 */
const readsOnly = (command: string): boolean =>
  !writesIntoFile(command) && partsOf(command).every((part) => part.type !== 'Command' || looks(wordsOf(part)));

function looks(words: readonly string[]): boolean {
  const own = withoutLaunchers(words);
  const [program = '', ...rest] = own;
  if (program === 'git') return rest.some((word) => GIT_LOOKS.has(word));
  if (program === 'cd' || program === 'pwd' || program === 'which' || program === 'tree') return true;
  if (program === 'sed' || program === 'awk') return !rest.some((word) => /^-[a-zA-Z]*i/.test(word));
  return !DOES.has(program) && !COMPILES.test(program) && isReading(own);
}

/** A call as it was asked for, before it has a result. */
export type AskedCall = Pick<
  Observed,
  'tool' | 'action' | 'words' | 'isExempt' | 'isWriting' | 'mayChange' | 'replaces'
> & {
  readonly callId: string;
  /** Declared as a call that polls. */
  readonly polls: boolean;
  /** The wait that its words tell: see `waitIn`. */
  readonly waits: number | null;
  /** A status of 1 is an answer of the command that it runs. */
  readonly isAnswering: boolean;
  /** It only reads what is there: an error in that says nothing of the work. */
  readonly isReading: boolean;
};

/** Reads from a call all that it says of itself. */
export function askedCall(call: ToolCall, traits: ToolTraits): AskedCall {
  const { callId, tool } = call;
  const command = commandOf(traits, call);
  const commandWrites = command !== null && isWritingCommand(command);
  const isWriting = says(traits.writes, call) || commandWrites;
  const waits = command === null ? null : waitIn(command, traits.waiting);
  const isReading = command === null ? says(traits.reads, call) : !commandWrites && readsOnly(command);
  const replaces = replacementOf(call, traits);
  return {
    callId,
    tool,
    action: actionOf(call, traits),
    words: wordsIn(call.arguments),
    polls: says(traits.polling, call),
    waits,
    isExempt: traits.identity === 'exempt',
    isWriting,
    mayChange: command === null ? isWriting && traits.replaces !== true : !isReading && waits === null,
    isReading,
    isAnswering: command !== null && answersWithOne(command),
    replaces,
  };
}
