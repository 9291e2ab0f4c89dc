import type { ToolCall } from '../../machines/events.ts';
import { answersWithOne } from './answering-commands.ts';
import type { Observed } from './observation.ts';
import { wordsIn } from './own-words.ts';
import { readsOnly } from './reading-only.ts';
import { replacementOf } from './replaced-thing.ts';
import { actionOf } from './signature.ts';
import { commandOf, says, type ToolTraits } from './traits.ts';
import { waitIn } from './waits.ts';
import { isWritingCommand } from './writing-commands.ts';

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
