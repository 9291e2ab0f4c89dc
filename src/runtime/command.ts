import { type EventOf, LoopEvent } from '../../machines/events.ts';
import type { InboxEntry } from '../log/log.ts';
import type { Refusal } from './mailbox.ts';

const COMMANDS = ['abort.requested', 'person.answered', 'run.paused', 'run.steered'] as const;

/** What a person may ask of a run, from anywhere. Everything else in an inbox is rejected. */
export type Command = EventOf<(typeof COMMANDS)[number]>;

/** A refusal that says nothing about the run: whoever serves it next may take the command. */
export const LEFT = 'the process that served it was just leaving';

/** The command an inbox entry asks for, or why it is none. */
export function commandOf({ type, payload }: InboxEntry): Command | string {
  const parsed = LoopEvent.safeParse({ type, payload });
  if (!parsed.success) return `not an event: ${parsed.error.issues[0]?.message ?? 'it does not fit the vocabulary'}`;
  const event = parsed.data;
  return isCommand(event) ? event : `${type} is not a command; known: ${COMMANDS.join(', ')}`;
}

const isCommand = (event: LoopEvent): event is Command => COMMANDS.some((type) => type === event.type);

export const HAS_ENDED = 'the run has ended';

/** Why a run did not take a command, for whoever sent it. */
export function refusalWords(command: Command, because: Refusal): string {
  switch (because) {
    case 'ended':
      return HAS_ENDED;
    case 'left':
      return LEFT;
    case 'standing':
      return 'nobody is working on it: it stands still already, until it is resumed';
    case 'paused':
      return 'it is paused already, until it is resumed';
    case 'aborting':
      return 'it was aborted, and is about to end';
    case 'not_json':
      return 'what it says is not JSON';
    case 'not_outstanding':
    case 'unexpected':
      if (command.type === 'person.answered') return `call ${command.payload.callId} is not waiting for a person`;
      return command.type === 'run.steered' ? 'its verdict is in: it is about to end' : 'it cannot be done now';
  }
}

/** Somebody in a tree of runs who may take a command. */
export interface Member {
  readonly id: string;
  readonly parent: string | null;
}

/**
 * Who takes a command that names a run, best first: an abort is for the run itself, a pause for the whole tree, an answer
 * for the run or else whoever works under it, and words are for whoever works under it, the deepest first.
 */
export function addressees<Some extends Member>(command: Command, named: string, members: readonly Some[]): readonly Some[] {
  switch (command.type) {
    case 'abort.requested':
      return members.filter(({ id }) => id === named);
    case 'run.paused':
      return members.filter(({ parent }) => parent === null);
    case 'person.answered':
      return below(named, members).toSorted((one, other) => Number(other.id === named) - Number(one.id === named));
    case 'run.steered':
      return below(named, members);
  }
}

/** A run and those below it, the deepest first. */
function below<Some extends Member>(named: string, members: readonly Some[]): readonly Some[] {
  return members
    .flatMap((member) => {
      const line = lineOf(member, members);
      return line.includes(named) ? [{ member, depth: line.length }] : [];
    })
    .toSorted((one, other) => other.depth - one.depth)
    .map(({ member }) => member);
}

/** A run and those above it. */
function lineOf(member: Member, members: readonly Member[]): readonly string[] {
  const line = [member.id];
  let { parent } = member;
  while (parent !== null && !line.includes(parent)) {
    line.push(parent);
    const above: Member | undefined = members.find(({ id }) => id === parent);
    parent = above?.parent ?? null;
  }
  return line;
}
