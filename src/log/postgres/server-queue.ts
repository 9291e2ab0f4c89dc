import type { Lease } from '../lease-store.ts';
import type { QueueStore, Settled } from '../queue-store.ts';
import { assertSubmission, shortened } from '../submission-row.ts';
import { changeWithin, type Watcher } from '../watch.ts';
import { claimSubmission, goneHoldersOf } from './claim-submission.ts';
import { type Client, withoutNul } from './driver.ts';
import { HAS_NEWS } from './queue-schema.ts';
import { readSubmissions } from './read-submissions.ts';
import type { Server } from './server.ts';

const SUBMIT = `
  INSERT INTO submissions (run, task, limit_key, at_once, at, due_at, standing)
  SELECT $1, $2, $3, $4, t, coalesce($5::bigint, t), 'due' FROM store_time($6) t
  WHERE NOT EXISTS (SELECT 1 FROM runs WHERE run = $1)
  ON CONFLICT DO NOTHING`;
const MAKE_DUE = `standing = 'due', due_at = store_time($1), seen = NULL, tries = 0, crashes = 0, because = NULL`;
const WITHDRAW = `
  UPDATE submissions SET standing = 'over', because = 'it was withdrawn before a worker began with it'
  WHERE run = $1 AND standing <> 'over' AND NOT EXISTS (SELECT 1 FROM runs r WHERE r.run = $1)
    AND NOT EXISTS (
      SELECT 1 FROM leases l WHERE l.root = $1 AND l.holder IS NOT NULL AND l.expires_at > store_time($2)
    )`;

/** The queue of a log on a server. */
export function serverQueue(server: Server): QueueStore {
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

    claim: (claim) => claimSubmission(server, claim, goneHolders),

    settle: (lease, settled) => settle(server, lease, settled),

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

    ...readSubmissions(server),

    stirred: waitForNews(server),
  };
}

/** Waits until something in the queue has changed, and listens to the server only meanwhile. */
function waitForNews(server: Server): QueueStore['stirred'] {
  let watcher: Watcher | null = null;
  return async (signal, mostMs) => {
    server.assertOpen();
    watcher ??= server.watch.open(null);
    await server.listener.start();
    try {
      await changeWithin(watcher, signal, mostMs);
    } finally {
      server.listener.stop();
    }
  };
}

/** Writes how a run has left its worker, and frees its lease. False: the lease has passed on. */
async function settle(
  server: Server,
  { root, epoch }: Pick<Lease, 'root' | 'epoch'>,
  settled: Settled,
): Promise<boolean> {
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
