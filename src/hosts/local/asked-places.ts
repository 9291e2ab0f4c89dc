import { createHash } from 'node:crypto';
import { realpath } from 'node:fs/promises';
import { isAbsolute, resolve } from 'node:path';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Approval } from '../../kernel/loop-description.ts';
import type { EventStore, RunRecord } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';
import type { Question } from '../../projections/questions.ts';
import { type Inbox, type InboxWanted, type LoopsOf, readInbox } from '../../projections/read-inbox.ts';
import { readQuestions } from '../../projections/read-questions.ts';
import { readSettings } from '../../runtime/read-settings.ts';

// A path that a model names may lead through symbolic links, which the model can change. So a request to read is shown
// with the place that it leads to now, and a digest of that place: an answer with the digest grants this place only.

/** Where a request to read leads. */
export interface AskedPlace {
  /** The path as it was named, made absolute from the workspace of the run. */
  readonly wanted: string;
  /** Without symbolic links. Null: nothing is there, or it is out of reach. */
  readonly real: string | null;
}

/** Where the path of a request to read leads now. */
export async function placeOf(log: EventStore, { run, path }: Question): Promise<AskedPlace> {
  const named = path ?? '';
  const from = isAbsolute(named) ? null : await readSettings(log, run);
  const wanted = resolve(from?.directory ?? '/', named);
  return { wanted, real: await realpath(wanted).catch(() => null) };
}

/** What the permission to read a real place allows. */
export const readingOf = (real: string): Approval => ({
  allows: `reading ${real} and everything below it`,
  digest: createHash('sha256').update(real).digest('hex'),
});

/** As `askedBy`, of the run of an id. Null where the log has no such run. */
export async function askedOf(
  log: EventStore,
  run: string,
  loops: readonly LoopDefinition[],
): Promise<readonly Question[] | null> {
  const record = await log.run(run);
  return record && askedBy(log, record, loops);
}

/** The open questions of a run and its descendants, oldest first, with the places that they lead to. */
export async function askedBy(
  log: EventStore,
  record: RunRecord,
  loops: readonly LoopDefinition[],
): Promise<readonly Question[]> {
  const open = await readQuestions(log, record, loops);
  return Promise.all(open.map((question) => withPlace(log, question)));
}

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
  const { real } = await placeOf(log, question);
  return real === null ? question : { ...question, approval: readingOf(real) };
}
