import { z } from 'zod';
import { AGENT_QUIET } from '../../machines/agent-report.ts';
import type { AnyEvent, EventOf, LoopEvent } from '../../machines/events.ts';
import { vocabularyOf } from '../../machines/vocabulary.ts';
import type { InboxEntry } from '../log/inbox-store.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { Refusal } from '../kernel/run-message.ts';

const OF_EVERY_LOOP = ['abort.requested', 'run.paused', 'run.steered'] as const;
type OfEveryLoop = EventOf<(typeof OF_EVERY_LOOP)[number]>;
/** The event by which a process records a hook that has told of a run, or tells it that an agent below it is silent. */
const OF_PROCESS = 'warning.raised';

/**
 * What a person may ask of a run, from any process: the commands of every loop, and the commands that loops define.
 * Everything else in an inbox is rejected.
 */
export type Command = LoopEvent;

/** A refusal for a reason outside the run: its next holder may take the command. Recorded, and compared as text. */
export const LEFT = 'the process that served it was just leaving';

/** The command of an inbox entry, or a sentence why it is not a command. */
export function commandOf({ type, payload }: InboxEntry, loops: readonly LoopDefinition[]): Command | string {
  const { hook, code } = Object(payload) as { readonly hook?: unknown; readonly code?: unknown };
  const isOfProcess = type === OF_PROCESS && (hook !== undefined || code === AGENT_QUIET);
  const taking = loops.filter(
    ({ commands = {} }) => isOfProcess || isOfEveryLoop(type) || Object.hasOwn(commands, type),
  );
  if (taking.length === 0) return `${type} is not a command; known: ${known(loops).join(', ')}`;
  const parsed = taking.map(({ events }) =>
    (vocabularyOf(events).get(type)?.event ?? events).safeParse({ type, payload }),
  );
  const [command] = parsed.flatMap(({ success, data }) => (success ? [data as Command] : []));
  return command ?? `not an event: ${[...new Set(parsed.map(schemaFault))].join('; ')}`;
}

/** The member that does not fit the schema, and why, in one line. */
const schemaFault = ({ error }: z.ZodSafeParseResult<unknown>): string =>
  error ? z.prettifyError(error).replaceAll(/\s+/g, ' ') : '';

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

/** The refusal to report, of several: the first of a run whose loop has such a command. */
export const mostRelevant = ({ type }: Command, refused: readonly NotTaken[]): NotTaken | undefined =>
  refused.find(({ loop }) => Object.hasOwn(loop.commands ?? {}, type)) ?? refused[0];

/** Why a run did not take a command, as text for its sender. */
export function refusalText(command: Command, { because, loop }: NotTaken): string {
  switch (because) {
    case 'ended':
      return HAS_ENDED;
    case 'left':
      return LEFT;
    case 'unowned':
      return 'no process is running it: it is stopped already, until it is resumed';
    case 'paused':
      return 'it is paused already, until it is resumed';
    case 'aborting':
      return 'it was aborted, and is about to end';
    case 'not_json':
      return 'its payload is not JSON';
    case 'not_outstanding':
    case 'unexpected':
      return notNow(command, loop);
  }
}

function notNow({ type, payload }: Command, { commands = {} }: LoopDefinition): string {
  if (type === 'run.steered') return 'its ending is decided: it is about to end';
  return commands[type]?.(payload as never) ?? 'it cannot be done now';
}

/** A run of a tree that may take a command. */
export interface Member {
  readonly id: string;
  readonly parent: string | null;
}

/**
 * The runs that may take a command, best first: an abort or a hook is for the named run itself, a pause for the whole
 * tree, an answer for the named run or else one below it, and a steering text for the runs below it, the deepest first.
 */
export function addressees<Some extends Member>(
  command: Command,
  named: string,
  members: readonly Some[],
): readonly Some[] {
  switch (command.type) {
    case 'abort.requested':
    case OF_PROCESS:
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
