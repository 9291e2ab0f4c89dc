import type { Log } from '../log.ts';
import type { Server } from './server.ts';
import { serverAudit } from './server-audit.ts';
import { serverCopies } from './server-copies.ts';
import { serverEvents } from './server-events.ts';
import { serverInbox } from './server-inbox.ts';
import { serverLeases } from './server-leases.ts';
import { serverOutbox } from './server-outbox.ts';
import { serverQueue } from './server-queue.ts';
import { serverSnapshots } from './server-snapshots.ts';

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
