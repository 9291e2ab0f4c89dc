import { assertRunName } from '../effect-names.ts';
import type { Envelope } from '../envelope.ts';
import type { Append, AppendResult, BareEnvelope, EventStore, ForkResult, Range } from '../event-store.ts';
import { wrongTree } from '../tree-listing.ts';
import { prepare } from '../prepare-events.ts';
import { bareEnvelopeOf, envelopeOf } from '../event-envelope.ts';
import { NO_EVENTS, verifyRun, verifyTree } from '../verify-tree.ts';
import { appendEvents, forkRun, type Stored } from './append-events.ts';
import type { EventPages } from './event-pages.ts';
import { damaged } from './failure.ts';
import { followRun } from './follow-events.ts';
import type { OpenStore } from './open-store.ts';
import { readVerified, verifiable } from './read-verified.ts';
import { listed } from './verifiable-tables.ts';

/** The runs and events of a SQLite log. */
export function sqliteEvents(store: OpenStore): EventStore {
  const { runs } = store.tables;
  return {
    append: (request) => append(store, request),

    read: (run, range) => read(store, run, range),

    pages: (run, range) => bareEnvelopes(store, run, range),

    follow: (run, following) => followRun(store, run, following),

    fork: (origin) => fork(store, origin),

    async run(run) {
      const found = store.reading(() => recordOf(store, run));
      // Not while reading: what SQLite keeps is sound, and its files are closed as they were.
      if (found?.fault) throw damaged(store.store, found.fault);
      return found && found.record;
    },

    runs: async () => store.reading(() => runs.records()),

    async tree(root) {
      return store.reading(() => runs.ofTree(root).map((row) => runs.record(row)));
    },

    async newest(most, before) {
      return store.reading(() => {
        const newest = runs.newestRoots(most, before ?? null).map((row) => runs.record(row));
        return { runs: newest, more: runs.countRoots(before ?? null) - newest.length };
      });
    },

    changes: async (since) => store.reading(() => runs.changes(since)),

    async findByParentEffect(effect) {
      return store.reading(() => {
        const row = runs.openedBy(effect);
        return row && runs.record(row);
      });
    },

    async openedFrom(run) {
      return store.reading(() => runs.openedFrom(run).map((row) => runs.record(row)));
    },

    verify: async (run) => store.reading(() => verifyRun(verifiable(store), run)),

    readVerified: (run) => readVerified(store, run),

    verifyTree: async (run) => store.reading(() => verifyTree(verifiable(store), run)),
  };
}

async function append(store: OpenStore, request: Append): Promise<AppendResult> {
  store.assertOpen();
  const prepared = prepare(request);
  if (prepared.kind !== 'prepared') return prepared;
  const written = await store.write(
    () => appendEvents(store.tables, request, prepared.events, store.now()),
    (result) => appended(store, request, result),
  );
  if (written.kind !== 'stored') return written;
  // Not from the database: it may have been closed as soon as the commit was done.
  const blobText = (sha: string) => prepared.events.find(({ blob }) => blob?.sha256 === sha)?.blob?.text ?? null;
  const shelf = { store: store.store, blobText };
  const envelopes = written.events.map((event) => envelopeOf(event, shelf));
  return { kind: 'appended', envelopes, ...(written.isReleased ? { isReleased: true } : {}) };
}

function appended({ heads, watch, own }: OpenStore, { run, takesLease }: Append, result: Stored): void {
  const last = result.kind === 'stored' ? result.events.at(-1) : undefined;
  if (!last) return;
  if (takesLease) own.renewed({ root: run, holder: takesLease });
  heads.write(run, last);
  watch.changed(run);
}

async function* bareEnvelopes(
  store: OpenStore,
  run: string,
  range: Range = {},
): AsyncGenerator<readonly BareEnvelope[]> {
  for (const page of pagesOf(store, run, range, 'bare'))
    yield store.reading(() => page.map((event) => bareEnvelopeOf(event, store)));
}

async function* read(store: OpenStore, run: string, range: Range = {}): AsyncGenerator<Envelope> {
  const { salts = false } = range;
  for (const page of pagesOf(store, run, range, 'whole'))
    for (const event of page) yield store.reading(() => envelopeOf(event, store, salts));
}

/** The pages of a range of a run, each read when it is asked for. */
function* pagesOf<How extends 'bare' | 'whole'>(
  store: OpenStore,
  run: string,
  { from = 1, to = Number.MAX_SAFE_INTEGER }: Range,
  how: How,
): Generator<ReturnType<EventPages[How]>> {
  const { pages } = store.tables.events;
  for (const segment of store.reading(() => store.headCheck.segments(run))) {
    const last = Math.min(to, segment.to);
    for (let next = Math.max(from, segment.from); next <= last;) {
      const page = store.reading(() => pages[how]({ ...segment, to: last }, next));
      const end = page.at(-1);
      if (!end) break;
      yield page as ReturnType<EventPages[How]>;
      next = end.version + 1;
    }
  }
}

async function fork(store: OpenStore, { from, at, to }: Parameters<EventStore['fork']>[0]): Promise<ForkResult> {
  store.assertOpen();
  assertRunName(to);
  return store.write(
    () => forkRun(store.tables, from, at, to, store.now()),
    (result) => {
      if (result.kind !== 'forked') return;
      store.heads.write(to, result.run);
      store.watch.changed(to);
    },
  );
}

/** The record of a run, and what is wrong with the place where it is listed. Null: the log has no such run. */
function recordOf(store: OpenStore, run: string) {
  const { runs } = store.tables;
  store.headCheck.segments(run);
  const row = runs.find(run);
  if (row === null) return null;
  const record = runs.record(row);
  const fault = record.version === 0 ? `run ${run}: ${NO_EVENTS}` : wrongTree(verifiable(store).find, listed(row));
  return { record, fault };
}
