import { z } from 'zod';
import type { AnyEvent, EventOf, LoopEvent } from '../../machines/events.ts';
import { vocabularyOf } from '../../machines/vocabulary.ts';
import type { InboxEntry } from '../log/log.ts';
import type { LoopDefinition } from './loop-definition.ts';
import type { Refusal } from './mailbox.ts';

const OF_EVERY_LOOP = ['abort.requested', 'run.paused', 'run.steered'] as const;
type OfEveryLoop = EventOf<(typeof OF_EVERY_LOOP)[number]>;

/**
 * What a person may ask of a run, from anywhere: what every loop takes, and what loops name as commands of their own.
 * Everything else in an inbox is rejected.
 */
export type Command = LoopEvent;

/** A refusal that says nothing about the run: its next holder may take the command. */
export const LEFT = 'the process that served it was just leaving';

/** The command an inbox entry asks for, or why it is none. */
export function commandOf({ type, payload }: InboxEntry, loops: readonly LoopDefinition[]): Command | string {
  const taking = loops.filter((loop) => isOfEveryLoop(type) || Object.hasOwn(loop.commands ?? {}, type));
  if (taking.length === 0) return `${type} is not a command; known: ${known(loops).join(', ')}`;
  const parsed = taking.map(({ events }) => (vocabularyOf(events).get(type)?.event ?? events).safeParse({ type, payload }));
  const [command] = parsed.flatMap(({ success, data }) => (success ? [data as Command] : []));
  return command ?? `not an event: ${[...new Set(parsed.map(misfit))].join('; ')}`;
}

/** Which member does not fit, and how, in one line. */
const misfit = ({ error }: z.ZodSafeParseResult<unknown>): string => (error ? z.prettifyError(error).replaceAll(/\s+/g, ' ') : '');

const known = (loops: readonly LoopDefinition[]): readonly string[] =>
  [...new Set([...OF_EVERY_LOOP, ...loops.flatMap(({ commands = {} }) => Object.keys(commands))])].toSorted();

const isOfEveryLoop = (type: string): type is OfEveryLoop['type'] => OF_EVERY_LOOP.some((one) => one === type);

export const isPause = (command: AnyEvent): command is EventOf<'run.paused'> => command.type === 'run.paused';

export const HAS_ENDED = 'the run has ended';

/** A run did not take a command. */
export interface NotTaken {
  readonly because: Refusal;
  /** The loop of that run. */
  readonly loop: LoopDefinition;
}

/** Of several runs that did not take a command, the one to tell of: the first that could have taken such a one. */
export const mostTelling = ({ type }: Command, refused: readonly NotTaken[]): NotTaken | undefined =>
  refused.find(({ loop }) => Object.hasOwn(loop.commands ?? {}, type)) ?? refused[0];

/** Why a run did not take a command, for the person who sent it. */
export function refusalWords(command: Command, { because, loop }: NotTaken): string {
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
      return notNow(command, loop);
  }
}

function notNow({ type, payload }: Command, { commands = {} }: LoopDefinition): string {
  if (type === 'run.steered') return 'its verdict is in: it is about to end';
  return commands[type]?.(payload as never) ?? 'it cannot be done now';
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
    case 'run.steered':
      return below(named, members);
    default:
      return below(named, members).toSorted((one, other) => Number(other.id === named) - Number(one.id === named));
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
