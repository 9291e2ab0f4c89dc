import type { Log, SnapshotStore } from '../log.ts';
import type { Server } from './server.ts';
import { serverAudit } from './server-audit.ts';
import { serverCopies } from './server-copies.ts';
import { serverEvents } from './server-events.ts';
import { serverInbox } from './server-inbox.ts';
import { serverLeases } from './server-leases.ts';
import { serverOutbox } from './server-outbox.ts';
import { serverQueue } from './server-queue.ts';
import { jsonIn } from '../../text/json-in.ts';
import type { Json } from '../envelope.ts';
import { stretchesOf } from './event-stretches.ts';

const SAVE = `
  INSERT INTO snapshots (run, version, hash, machine, state) VALUES ($1, $2, decode($3, 'hex'), $4, $5)
  ON CONFLICT (run, version) DO UPDATE SET hash = excluded.hash, machine = excluded.machine, state = excluded.state`;
const LATEST = `
  SELECT s.version, encode(s.hash, 'hex') AS hash, s.machine, s.state FROM snapshots s
  JOIN events e ON e.run = $1 AND e.version = s.version AND e.hash = s.hash
  WHERE s.run = $2 AND s.version BETWEEN $3 AND $4 ORDER BY s.version DESC LIMIT 1`;

interface Row {
  readonly version: number;
  readonly hash: string;
  readonly machine: string;
  readonly state: string;
}

/** The cached states of a log on a server. */
function serverSnapshots(server: Server): SnapshotStore {
  return {
    async saveSnapshot({ run, version, hash, machine, state }) {
      server.assertOpen();
      await server.write((client) => client.query(SAVE, [run, version, hash, machine, JSON.stringify(state)]));
    },

    async latestSnapshot(run, atMost = Number.MAX_SAFE_INTEGER) {
      const stretches = await stretchesOf(server, run);
      for (const { key, run: owner, from, to } of stretches.toReversed()) {
        const [row] = await server.reading<Row>(LATEST, [key, owner, from, Math.min(to, atMost)]);
        // A cached state may be lost at any time: one that cannot be read is lost.
        const state = row && (jsonIn(row.state) as Json | undefined);
        if (row && state !== undefined) return { ...row, run: owner, state };
      }
      return null;
    },
  };
}

/** The stores of a log on a server, together. */
export const serverStores = (server: Server): Omit<Log, 'store' | 'close'> => ({
  ...serverEvents(server),
  ...serverLeases(server),
  ...serverInbox(server),
  ...serverOutbox(server),
  ...serverQueue(server),
  ...serverSnapshots(server),
  ...serverCopies(server),
  ...serverAudit(server),
});
