import { canonicalText } from '../../../src/log/canonical-text.ts';
import type { InboxCommand, InboxEntry } from '../../../src/log/inbox-store.ts';
import type { Json } from '../../../src/log/envelope.ts';

interface Row extends Omit<InboxEntry, 'payload'> {
  readonly root: string;
  readonly payload: string;
}

/** Commands for holders, oldest first. An entry is delivered or rejected once; later attempts change nothing. */
export class InboxTable {
  readonly #rows: Row[] = [];

  post(root: string, run: string, { type, payload }: InboxCommand, at: string): InboxEntry {
    const id = this.#rows.length + 1;
    const row: Row = { id, root, run, type, payload: canonicalText(payload), at, status: { kind: 'waiting' } };
    this.#rows.push(row);
    return entryOf(row);
  }

  waiting(root: string): readonly InboxEntry[] {
    return this.#rows.filter((row) => row.root === root && row.status.kind === 'waiting').map(entryOf);
  }

  waitingTrees(): readonly string[] {
    const waiting = this.#rows.filter(({ status }) => status.kind === 'waiting');
    return [...new Set(waiting.map(({ root }) => root))];
  }

  entry(id: number): InboxEntry | null {
    const row = this.#rows[id - 1];
    return row ? entryOf(row) : null;
  }

  settle(id: number, status: InboxEntry['status'], root?: string): void {
    const row = this.#rows[id - 1];
    if (row?.status.kind !== 'waiting' || (root !== undefined && row.root !== root)) return;
    this.#rows[id - 1] = { ...row, status };
  }
}

const entryOf = ({ id, run, type, payload, at, status }: Row): InboxEntry => ({
  id,
  run,
  type,
  payload: JSON.parse(payload) as Json,
  at,
  status,
});
