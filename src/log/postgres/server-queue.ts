import { isDeadInThisBoot } from '../holder.ts';
import type { Claimed, QueueClaim, QueueStore, Settled, Submission } from '../queue-store.ts';
import { assertSubmission, shortened, submissionOf, type SubmissionRow } from '../submission-row.ts';
import { timestamp } from '../timestamp.ts';
import { changeWithin, type Watcher } from '../watch.ts';
import { type Client, withoutNul } from './driver.ts';
import { HAS_NEWS, SELECT_SUBMISSIONS } from './queue-schema.ts';
import type { Server } from './server.ts';
import { damaged } from './server-failure.ts';
import { holderIn } from './server-leases.ts';

interface ClaimRow {
  readonly run: string;
  readonly epoch: number;
  readonly lapsed_holder: string | null;
  readonly lapsed_expires_at: number | null;
  readonly was_due: boolean;
}

const SUBMIT = `
  INSERT INTO submissions (run, task, limit_key, at_once, at, due_at, standing)
  SELECT $1, $2, $3, $4, t, coalesce($5::bigint, t), 'due' FROM store_time($6) t
  WHERE NOT EXISTS (SELECT 1 FROM runs WHERE run = $1)
  ON CONFLICT DO NOTHING`;
/** Holders of what is claimed: those that are known here to be dead are succeeded before their leases expire. */
const HOLDERS = `
  SELECT l.holder FROM submissions s JOIN leases l ON l.root = s.run
  WHERE s.standing = 'claimed' AND l.holder IS NOT NULL`;
/** How long a look for dead holders counts. Each takes a look at every run that is worked on. */
const GONE_FOR_MS = 500;
const MAKE_DUE = `standing = 'due', due_at = store_time($1), seen = NULL, tries = 0, crashes = 0, because = NULL`;
const WITHDRAW = `
  UPDATE submissions SET standing = 'over', because = 'it was withdrawn before a worker began with it'
  WHERE run = $1 AND standing <> 'over' AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.run = $1)
    AND NOT EXISTS (
      SELECT 1 FROM leases l WHERE l.root = $1 AND l.holder IS NOT NULL AND l.expires_at > store_time($2)
    )`;

/** The queue of a log on a server. */
export function serverQueue(server: Server): QueueStore {
  let watcher: Watcher | null = null;
  const goneHolders = goneHoldersOf(server);
  const changing = async (text: string, values: readonly unknown[]): Promise<number> => {
    server.assertOpen();
    const changed = await server.write(async (client) => {
      const { rowCount } = await client.query(text, [...values]);
      if (rowCount) await told(client, server);
      return rowCount ?? 0;
    });
    if (changed > 0) server.watch.changed();
    return changed;
  };
  return {
    async submit(submission) {
      const task = assertSubmission(submission);
      const { run, limit, notBefore } = submission;
      const dueAt = notBefore === null ? null : Date.parse(notBefore);
      const values = [run, task, limit?.key ?? null, limit?.atOnce ?? null, dueAt, server.given];
      return (await changing(SUBMIT, values)) > 0;
    },

    claim: (claim) => claimed(server, claim, goneHolders),

    async settle({ root, epoch }, settled) {
      server.assertOpen();
      const isSettled = await server.write(async (client) => {
        const { rows } = await client.query<{ readonly epoch: number }>(
          'SELECT epoch FROM leases WHERE root = $1 FOR NO KEY UPDATE',
          [root],
        );
        if (rows[0]?.epoch !== epoch) return false;
        await client.query(leaving(root, settled, server.given));
        await client.query('UPDATE leases SET holder = NULL WHERE root = $1', [root]);
        await told(client, server);
        return true;
      });
      server.watch.changed();
      return isSettled;
    },

    async stir(roots) {
      const meant = roots === null ? '' : 'AND run = ANY($1)';
      const values = roots === null ? [] : [roots];
      const found = await server.reading<{ run: string }>(
        `SELECT run FROM submissions WHERE standing = 'waits' ${meant} AND ${HAS_NEWS}`,
        values,
      );
      if (found.length === 0) return 0;
      const due = found.map(({ run }) => run);
      return changing(`UPDATE submissions SET ${MAKE_DUE} WHERE standing = 'waits' AND run = ANY($2)`, [
        server.given,
        due,
      ]);
    },

    async requeue(run) {
      const text = `UPDATE submissions SET ${MAKE_DUE} WHERE run = $2 AND standing IN ('aside', 'paused')`;
      return (await changing(text, [server.given, run])) > 0;
    },

    withdraw: async (run) => (await changing(WITHDRAW, [run, server.given])) > 0,

    async submission(run) {
      const [row] = await server.reading<SubmissionRow>(`${SELECT_SUBMISSIONS} WHERE run = $1`, [run]);
      return row ? whole(server, row) : null;
    },

    async submissions() {
      const open = `${SELECT_SUBMISSIONS} WHERE standing <> 'over' ORDER BY key`;
      return (await server.reading<SubmissionRow>(open)).map((row) => whole(server, row));
    },

    async submissionsOf(key, since) {
      const ofKey = `${SELECT_SUBMISSIONS} WHERE limit_key = $1 AND (standing <> 'over' OR due_at >= $2) ORDER BY key`;
      return (await server.reading<SubmissionRow>(ofKey, [key, Date.parse(since)])).map((row) => whole(server, row));
    },

    async stirred(signal, mostMs) {
      server.assertOpen();
      watcher ??= server.watch.open(null);
      await server.listener.start();
      try {
        await changeWithin(watcher, signal, mostMs);
      } finally {
        server.listener.stop();
      }
    },
  };
}

/** Takes a lease in one statement. Asked again after a lost connection, it takes what the same process has taken. */
async function claimed(
  server: Server,
  { by, except }: QueueClaim,
  goneHolders: () => Promise<readonly string[]>,
): Promise<Claimed | null> {
  server.assertOpen();
  const holder = JSON.stringify(by);
  const gone = await goneHolders();
  const row = await server.write(async (client, isAgain) => {
    if (isAgain) {
      const { rows: mine } = await client.query<ClaimRow>(
        `SELECT root AS run, epoch, NULL AS lapsed_holder, NULL AS lapsed_expires_at, false AS was_due FROM leases WHERE holder = $1`,
        [holder],
      );
      if (mine[0]) return mine[0];
    }
    const text = 'SELECT * FROM claim_submission($1, $2, $3, $4)';
    const { rows } = await client.query<ClaimRow>({
      name: 'claim',
      text,
      values: [holder, except, gone, server.given],
    });
    return rows[0] ?? null;
  });
  if (!row) return null;
  const [found] = await server.reading<SubmissionRow>(`${SELECT_SUBMISSIONS} WHERE run = $1`, [row.run]);
  if (!found) return null;
  const lease = { root: row.run, epoch: row.epoch, holder: by };
  server.own.renewed(lease);
  const lost = holderIn(server, row.lapsed_holder);
  const lapsed = lost && { by: lost, expiresAt: timestamp(row.lapsed_expires_at ?? 0) };
  return { submission: whole(server, found), lease, lapsed, wasDue: row.was_due };
}

/** The holders of claimed runs that are known here to be dead, as their columns have them. Looked for now and then. */
function goneHoldersOf(server: Server): () => Promise<readonly string[]> {
  let found: { readonly until: number; readonly gone: Promise<readonly string[]> } | null = null;
  return () => {
    if (found === null || performance.now() > found.until)
      found = { until: performance.now() + GONE_FOR_MS, gone: lookForGone(server) };
    return found.gone;
  };
}

async function lookForGone(server: Server): Promise<readonly string[]> {
  const asked = new Map<string, boolean>();
  const held = await server.reading<{ holder: string }>(HOLDERS);
  const isGone = (text: string): boolean => {
    const holder = holderIn(server, text);
    if (!holder) return false;
    const { host, pid, processStart } = holder;
    const process = `${host} ${pid} ${processStart}`;
    const isDead = asked.get(process) ?? isDeadInThisBoot(holder);
    asked.set(process, isDead);
    return isDead;
  };
  return held.map((row) => row.holder).filter(isGone);
}

function leaving(run: string, settled: Settled, given: number | null): { text: string; values: unknown[] } {
  const { standing } = settled;
  if (standing === 'waits') {
    const next = `CASE WHEN ${HAS_NEWS.replaceAll('submissions.seen', '$3::bigint')} THEN 'due' ELSE 'waits' END`;
    const text = `UPDATE submissions SET standing = ${next}, due_at = store_time($2), seen = $3, tries = 0, crashes = 0,
      because = NULL WHERE run = $1`;
    return { text, values: [run, given, settled.seen] };
  }
  const because = settled.because === null ? null : shortened(withoutNul(settled.because));
  const [inMs, failed] = standing === 'due' ? [settled.inMs, settled.hasFailed] : [0, false];
  const text = `UPDATE submissions SET standing = $3, due_at = store_time($2) + $4, seen = NULL, crashes = 0,
    tries = CASE WHEN $5 THEN tries + 1 ELSE 0 END, because = $6 WHERE run = $1`;
  return { text, values: [run, given, standing, Math.round(inMs), failed, because] };
}

/** Wakes the workers that listen, in the same transaction. The payload names no run. */
const told = (client: Client, { listener: { channel } }: Server) =>
  client.query('SELECT pg_notify($1, $2)', [channel, 'queue']);

const whole = (server: Server, row: SubmissionRow): Submission =>
  submissionOf(row, (reason) => damaged(server.store, reason));
