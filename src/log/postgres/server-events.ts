import type { Unplaced } from '../chain.ts';
import { assertRunName } from '../effect-names.ts';
import type { Envelope, Json } from '../envelope.ts';
import { LogError } from '../log.ts';
import type { Append, AppendResult, EventStore, Range } from '../event-store.ts';
import { follow, type Followed } from '../follow.ts';
import { prepare } from '../prepare-events.ts';
import { bareEnvelopeOf, envelopeAt, envelopeOf, payloadOf } from '../event-envelope.ts';
import { forkRun } from './fork-run.ts';
import { changes, newest } from './newest-runs.ts';
import { RESTORE_SERVER } from './server-failure.ts';
import { record, records } from './run-records.ts';
import type { Server } from './server.ts';
import { pageOf, shelfOf, storedPages, stretchesOf } from './event-stretches.ts';
import { assertInTree, readVerified, verifiedTree, verifyStored } from './verify-stored.ts';

/** The runs and events of a log on a server. */
export function serverEvents(server: Server): EventStore {
  return {
    append: (request) => append(server, request),
    read: (run, range) => read(server, run, range),

    async *pages(run, { from, to } = {}) {
      for await (const page of storedPages(server, run, from, to)) {
        const shelf = await shelfOf(server, page);
        yield page.map((event) => bareEnvelopeOf(event, shelf));
      }
    },

    async *follow(run, { from = 1, signal, salts = false }) {
      server.assertOpen();
      await server.listener.start();
      try {
        yield* follow(followedOf(server, salts), run, Math.max(1, from), signal);
      } finally {
        server.listener.stop();
      }
    },

    async fork(request) {
      server.assertOpen();
      assertRunName(request.to);
      const kind = await server.write((client, isAgain) => forkRun(client, request, server.given, isAgain));
      if (kind !== 'forked') return typeof kind === 'string' ? { kind } : { kind: 'no_such_version', head: kind.head };
      server.watch.changed(request.to);
      const run = await record(server, request.to);
      return run ? { kind, run } : { kind: 'unknown_run' };
    },

    async run(run) {
      const found = await record(server, run);
      if (found) await assertInTree(server, found);
      return found;
    },

    runs: () => records(server, 'ORDER BY r.key'),
    tree: (root) => records(server, 'WHERE r.root = $1 ORDER BY r.key', [root]),
    newest: (most, before) => newest(server, most, before ?? null),
    changes: (since) => changes(server, since),

    async findByParentEffect(effect) {
      return (await records(server, 'WHERE r.parent_effect = $1', [effect]))[0] ?? null;
    },

    // "0" follows "/", which separates the run from the rest of an effect's name.
    openedFrom: (run) =>
      records(server, 'WHERE r.parent_effect > $1 AND r.parent_effect < $2 ORDER BY r.key', [`${run}/`, `${run}0`]),

    verify: (run) => verifyStored(server, run),
    readVerified: (run) => readVerified(server, run),
    verifyTree: (run) => verifiedTree(server, run),
  };
}

async function append(server: Server, request: Append): Promise<AppendResult> {
  server.assertOpen();
  const prepared = prepare(request);
  if (prepared.kind !== 'prepared') return prepared;
  const { run, takesLease, parentEffect } = request;
  const blobText = (sha: string) => prepared.events.find(({ blob }) => blob?.sha256 === sha)?.blob?.text ?? null;
  const shelf = { store: server.store, blobText };
  let placed: readonly Unplaced[] = [];
  let payloads: readonly Json[] = [];
  const answer = await server.append(request, prepared.events, (events) => {
    placed = events;
    payloads = events.map((event) => payloadOf(event, shelf));
  });
  switch (answer.kind) {
    case 'placed':
      break;
    case 'orphan':
      throw new TypeError(`append to ${run}: the log does not know the run of ${parentEffect}`);
    case 'diverged': {
      const detail = `run ${run} had another history up to version ${answer.version} when this process wrote it last`;
      throw new LogError('diverged', server.store, detail, RESTORE_SERVER);
    }
    default:
      return answer;
  }
  if (takesLease) server.own.renewed({ root: run, holder: takesLease });
  server.watch.changed(run);
  const envelopes = placed.map((event, index) =>
    envelopeAt(event, answer.positions[index] ?? 0, payloads[index] ?? null),
  );
  return { kind: 'appended', envelopes, ...(answer.isReleased ? { isReleased: true } : {}) };
}

async function* read(server: Server, run: string, { from, to, salts = false }: Range = {}): AsyncGenerator<Envelope> {
  for await (const page of storedPages(server, run, from, to))
    for (const event of page) yield envelopeOf(event, await shelfOf(server, [event]), salts);
}

function followedOf(server: Server, salts: boolean): Followed {
  /** A log that is closed while it is asked ends what follows it. */
  const untilClosed = async <T>(ask: () => Promise<T>, atEnd: T): Promise<T> => {
    if (server.isClosed) return atEnd;
    return ask().catch((error: unknown) => {
      if (server.isClosed) return atEnd;
      throw error;
    });
  };
  const page = async (run: string, from: number): Promise<readonly Envelope[]> => {
    const stretch = (await stretchesOf(server, run)).find(({ to }) => to >= from);
    const events = stretch ? await pageOf(server, stretch, from) : [];
    const shelf = await shelfOf(server, events);
    return events.map((event) => envelopeOf(event, shelf, salts));
  };
  const isEnded = async (run: string) => ((await record(server, run))?.closed ?? null) !== null;
  return {
    watch: server.watch,
    page: (run, from) => untilClosed(() => page(run, from), []),
    isOver: (run) => untilClosed(() => isEnded(run), true),
  };
}
