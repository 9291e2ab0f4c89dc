import { leaseFor, refusal } from '../append-admission.ts';
import { chain, type Head, START, type StoredEvent } from '../chain.ts';
import { runOfEffect } from '../effect-names.ts';
import type { Append, AppendResult, ForkResult } from '../event-store.ts';
import type { Prepared } from '../prepare-events.ts';
import type { RunRow } from './runs-table.ts';
import type { Tables } from './tables.ts';

export type Stored =
  | { readonly kind: 'stored'; readonly events: readonly StoredEvent[]; readonly isReleased: boolean }
  | AppendResult;

/** One append, inside a transaction. It decides before it writes, so that a refusal has written nothing. */
export function appendEvents(tables: Tables, request: Append, events: readonly Prepared[], now: number): Stored {
  tables.known.renew();
  const before = stateOf(tables, request.run);
  const root = before?.row.root ?? rootOfNew(tables, request);
  const opened = request.parentEffect === undefined ? null : tables.runs.openedBy(request.parentEffect);
  const found = tables.leases.findAgain(root);
  const lease = leaseFor(request, found, now);
  const refused = refusal(request, {
    lease,
    version: before?.head.version ?? 0,
    closed: before?.ending ?? null,
    openedByEffect: opened?.run ?? null,
  });
  if (refused) return refused.kind === 'fenced' ? { ...refused, epoch: found?.epoch ?? 0 } : refused;
  const row = before?.row ?? openRun(tables, request, root);
  for (const { blob } of events) if (blob) tables.events.insertBlob(blob);
  const chained = chain(before?.head ?? START, request.run, request.epoch, events);
  const stored = chained.map((event) => tables.events.insert(row.key, event));
  remember(tables, row, stored, request.closes);
  for (const id of request.delivers ?? []) tables.inbox.deliver(id, request.expectedVersion + 1, root);
  for (const report of request.reports ?? []) tables.outbox.insert(request.run, report, now);
  const isReleased = request.releasesLease === true && tables.inbox.countWaiting(root) === 0;
  if (lease && isReleased) tables.leases.save(root, { ...lease, holder: null });
  else if (lease && request.takesLease) tables.leases.save(root, lease);
  return { kind: 'stored', events: stored, isReleased };
}

interface State {
  readonly row: RunRow;
  readonly head: Head;
  readonly ending: string | null;
}

/** Of the runs that this connection wrote last, only open ones are known. */
function stateOf({ runs, known }: Tables, run: string): State | null {
  const open = known.run(run);
  if (open) return { ...open, ending: null };
  const row = runs.find(run);
  return row && { row, head: runs.head(row), ending: runs.ending(row) };
}

/** Closes a run that ends; of another one it is known for the next append where it stands. */
function remember({ runs, known }: Tables, row: RunRow, stored: readonly StoredEvent[], ending?: string): void {
  const last = stored.at(-1);
  if (ending !== undefined) {
    runs.close(row.key, ending);
    known.dropRun(row.run);
  } else if (last) known.keepRun({ row, head: { version: last.version, hash: last.hash } });
}

/** Opens `to` behind a shared prefix, inside a transaction. */
export function forkRun({ runs }: Tables, from: string, at: number, to: string, now: number): ForkResult {
  const of = runs.find(from);
  if (!of) return { kind: 'unknown_run' };
  if (runs.find(to)) return { kind: 'exists' };
  if (runs.hashAt(of, at) === null) return { kind: 'no_such_version', head: runs.head(of).version };
  const prefix = { prefix: of.key, prefix_version: at };
  const row = runs.insert({ run: to, root: to, parent_effect: null, ...prefix, created_at: now });
  return { kind: 'forked', run: runs.record(row) };
}

function openRun({ runs }: Tables, { run, events, parentEffect }: Append, root: string): RunRow {
  const created_at = Date.parse(events[0]?.at ?? '');
  const parent_effect = parentEffect ?? null;
  return runs.insert({ run, root, parent_effect, prefix: null, prefix_version: 0, created_at });
}

function rootOfNew({ runs, known }: Tables, { run, parentEffect }: Append): string {
  if (parentEffect === undefined) return run;
  const name = runOfEffect(parentEffect);
  const parent = known.run(name)?.row ?? runs.find(name);
  if (!parent) throw new TypeError(`append to ${run}: the log does not know the run of ${parentEffect}`);
  return parent.root;
}
