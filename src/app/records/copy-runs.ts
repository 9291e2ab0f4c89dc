import type { Adopted } from '../../log/copy-store.ts';
import type { Envelope } from '../../log/envelope.ts';
import type { RunRecord } from '../../log/event-store.ts';
import type { Log } from '../../log/log.ts';

/** The result of copying a run. */
export type Copied = { readonly run: string } & (
  | { readonly kind: 'copied'; readonly events: number }
  /** It was there already, as it is here. */
  | { readonly kind: 'same' }
  | { readonly kind: 'refused'; readonly because: string }
);

/** The most events that are copied in one transaction. */
const PART_EVENTS = 500;
/** The same by what their payloads take in memory, roughly. */
const PART_BYTES = 8 * 1024 * 1024;

/**
 * Copies all runs of a log into another, oldest first, with their hashes, versions, marks and forks. What is there is
 * compared by its hash, so that a copy which was broken off is continued. Runs that a process holds are left out.
 */
export async function* copyRuns(from: Log, to: Log): AsyncGenerator<Copied, void> {
  for (const record of await from.runs()) yield { run: record.run, ...(await copied(from, to, record)) };
}

type Done = { readonly kind: 'copied'; readonly events: number } | { readonly kind: 'same' } | Refused;
type Refused = Extract<Adopted, { readonly kind: 'refused' }>;

const refused = (because: string): Refused => ({ kind: 'refused', because });

async function copied(from: Log, to: Log, record: RunRecord): Promise<Done> {
  const { run, root, version } = record;
  if (await from.holder(root)) return refused('a process works on it: copy it when that has ended or paused');
  if (await to.holder(root)) return refused('a process works on it there');
  const there = await to.run(run);
  if (there !== null && !(await isSame(from, there))) return refused('there it has another history');
  if (there !== null && there.version === version) return { kind: 'same' };
  const next = (there?.version ?? record.forkedFrom?.version ?? 0) + 1;
  let events = 0;
  for await (const part of partsOf(from, run, next)) {
    const isLast = part.length === 0 || part.at(-1)?.version === version;
    const adopted = await to.adopt({ ...record, closed: isLast ? record.closed : null }, part);
    if (adopted.kind === 'refused') return adopted;
    events += part.length;
  }
  const verified = await to.verify(run);
  if (verified.kind === 'intact' && verified.hash === record.hash) return { kind: 'copied', events };
  return refused(verified.kind === 'broken' ? `at version ${verified.version}: ${verified.reason}` : 'it is not whole');
}

/** Tells whether the head of a run there is in its history here. */
async function isSame(from: Log, there: RunRecord): Promise<boolean> {
  for await (const { hash } of from.read(there.run, { from: there.version, to: there.version }))
    return hash === there.hash;
  return false;
}

/** Events by parts; one empty part for a run that has none of its own yet. */
async function* partsOf(from: Log, run: string, next: number): AsyncGenerator<readonly Envelope[], void> {
  let [part, bytes, isAny]: [Envelope[], number, boolean] = [[], 0, false];
  for await (const envelope of from.read(run, { from: next, salts: true })) {
    part.push(envelope);
    bytes += JSON.stringify(envelope.payload).length;
    if (part.length < PART_EVENTS && bytes < PART_BYTES) continue;
    yield part;
    [part, bytes, isAny] = [[], 0, true];
  }
  if (part.length > 0 || !isAny) yield part;
}
