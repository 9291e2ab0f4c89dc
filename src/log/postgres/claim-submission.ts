import { isDeadInThisBoot } from '../holder.ts';
import type { Claimed, QueueClaim } from '../queue-store.ts';
import type { SubmissionRow } from '../submission-row.ts';
import { timestamp } from '../timestamp.ts';
import { SELECT_SUBMISSIONS } from './queue-schema.ts';
import type { Server } from './server.ts';
import { holderIn } from './server-leases.ts';
import { wholeSubmission } from './read-submissions.ts';

interface ClaimRow {
  readonly run: string;
  readonly epoch: number;
  readonly lapsed_holder: string | null;
  readonly lapsed_expires_at: number | null;
  readonly was_due: boolean;
}

/** Holders of what is claimed: those that are known here to be dead are succeeded before their leases expire. */
const HOLDERS = `
  SELECT l.holder FROM submissions s JOIN leases l ON l.root = s.run
  WHERE s.standing = 'claimed' AND l.holder IS NOT NULL`;
/** How long a look for dead holders counts. Each takes a look at every run that is worked on. */
const GONE_FOR_MS = 500;

/** Takes a lease in one statement. Asked again after a lost connection, it takes what the same process has taken. */
export async function claimSubmission(
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
  return { submission: wholeSubmission(server, found), lease, lapsed, wasDue: row.was_due };
}

/** The holders of claimed runs that are known here to be dead, as their columns have them. Looked for now and then. */
export function goneHoldersOf(server: Server): () => Promise<readonly string[]> {
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
