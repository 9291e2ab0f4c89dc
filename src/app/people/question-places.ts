import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve, sep } from 'node:path';
import { isOnePlace } from '../../../machines/command-reach.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Approval } from '../../kernel/loop-description.ts';
import { accessText, type OpenedWalls } from '../../kernel/access-through-walls.ts';
import type { EventStore } from '../../log/event-store.ts';
import { OWN_FOLDER } from '../../log/own-folder.ts';
import type { Log } from '../../log/log.ts';
import type { Question } from '../../projections/questions.ts';
import { type Inbox, type InboxWanted, type LoopsOf, readInbox } from '../../projections/read-inbox.ts';
import { readQuestions } from '../../projections/read-questions.ts';
import { readSettings } from '../../runtime/read-settings.ts';

// A path that a model names may lead through symbolic links, which the model can change. So a request to read is shown
// with the place that it leads to now, and a digest of that place: an answer with the digest grants this place only.

/** The place that a request for access leads to. */
export interface AskedPlace {
  /** The path as it was named, made absolute from the workspace of the run; or the place of a network. */
  readonly wanted: string;
  /** Without symbolic links. Null: nothing is there, or it is out of reach. */
  readonly real: string | null;
  readonly opens?: OpenedWalls | undefined;
}

/** Returns where a request for access leads now. */
export async function placeOf(log: EventStore, { run, path, opens }: Question): Promise<AskedPlace> {
  const named = path ?? '';
  if (opens === 'network') return { wanted: named, real: isOnePlace(named) ? named : null, opens };
  const from = isAbsolute(named) ? null : await readSettings(log, run);
  const wanted = resolve(from?.directory ?? '/', named);
  const real = await realpath(wanted).catch(() => null);
  // The log decides what a person has said: no command writes there.
  const isOurs = opens === 'write' && real !== null && real.split(sep).includes(OWN_FOLDER);
  return { wanted, real: isOurs ? null : real, opens };
}

/** Returns what a permission for a real place allows. */
export const accessTo = (real: string, opens?: OpenedWalls): Approval => ({
  allows: `${accessText({ path: real, opens })}${opens === 'network' ? '' : ' and everything below it'}`,
  digest: createHash('sha256')
    .update(opens === undefined ? real : `${opens} ${real}`)
    .digest('hex'),
});

/** The open questions of a run and its descendants, oldest first. Null where the log has no such run. */
export async function askedOf(
  log: EventStore,
  run: string,
  loops: readonly LoopDefinition[],
): Promise<readonly Question[] | null> {
  const record = await log.run(run);
  return record && placedQuestions(log, await readQuestions(log, record, loops));
}

/** Open questions with the places that they lead to. */
export const placedQuestions = (log: EventStore, open: readonly Question[]): Promise<readonly Question[]> =>
  Promise.all(open.map((question) => withPlace(log, question)));

/** What the runs of a log wait for people to do, with the places that requests lead to. */
export async function inboxOf(log: Log, loopsOf: LoopsOf, wanted?: InboxWanted): Promise<Inbox> {
  const { items, unlooked } = await readInbox(log, loopsOf, wanted);
  const placed = items.map(async (item) =>
    item.kind === 'question' ? { ...item, question: await withPlace(log, item.question) } : item,
  );
  return { items: await Promise.all(placed), unlooked };
}

async function withPlace(log: EventStore, question: Question): Promise<Question> {
  if (question.kind !== 'access') return question;
  const { real, opens } = await placeOf(log, question);
  return real === null ? question : { ...question, approval: accessTo(real, opens) };
}
