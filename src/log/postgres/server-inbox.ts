import { randomUUID } from 'node:crypto';
import { canonicalText } from '../canonical-text.ts';
import type { Json } from '../envelope.ts';
import { type InboxEntry, type InboxStore, entryOf, INBOX_COLUMNS, type InboxRow, IS_WAITING } from '../inbox-store.ts';
import { assertCommand } from '../prepare-events.ts';
import type { Server } from './server.ts';
import { withoutNul } from './driver.ts';

/** An entry whose answer was lost is found by its token. Who gives the lease back waits until the entry is there. */
const LOCK =
  'SELECT 1 FROM leases WHERE root = (SELECT coalesce((SELECT root FROM runs WHERE run = $1), $1)) FOR SHARE';
const POST = `
  INSERT INTO inbox (token, root, run, type, payload, at)
  VALUES ($1, coalesce((SELECT root FROM runs WHERE run = $2), $2), $2, $3, $4, store_time($5))
  ON CONFLICT (token) DO UPDATE SET token = excluded.token RETURNING ${INBOX_COLUMNS}`;

/** The inbox of a log on a server. */
export function serverInbox(server: Server): InboxStore {
  return {
    async post(run, command) {
      server.assertOpen();
      assertCommand(run, command);
      const token = randomUUID();
      return server.write(async (client) => {
        await client.query(LOCK, [run]);
        const values = [token, run, command.type, canonicalText(command.payload), server.given];
        const { rows } = await client.query<InboxRow>(POST, values);
        const [row] = rows;
        if (!row) throw new Error('an entry that was written is not there');
        return entryIn(row);
      });
    },

    async inbox(root) {
      const waiting = `SELECT ${INBOX_COLUMNS} FROM inbox WHERE root = $1 AND ${IS_WAITING} ORDER BY id`;
      return (await server.reading<InboxRow>(waiting, [root])).map(entryIn);
    },

    async waitingTrees() {
      const rows = await server.reading<{ root: string }>(`SELECT DISTINCT root FROM inbox WHERE ${IS_WAITING}`);
      return rows.map(({ root }) => root);
    },

    async reject(entry, reason) {
      server.assertOpen();
      await server.write((client) =>
        client.query(`UPDATE inbox SET rejected = $2 WHERE id = $1 AND ${IS_WAITING}`, [entry, withoutNul(reason)]),
      );
    },

    async entry(entry) {
      const [row] = await server.reading<InboxRow>(`SELECT ${INBOX_COLUMNS} FROM inbox WHERE id = $1`, [entry]);
      return row ? entryIn(row) : null;
    },
  };
}

const entryIn = (row: InboxRow): InboxEntry => entryOf(row, JSON.parse(row.payload) as Json);
