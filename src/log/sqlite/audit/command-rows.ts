import type { DatabaseSync } from 'node:sqlite';
import { jsonIn } from '../../../text/json-in.ts';
import { MAX_CLOCK_AHEAD_MS } from '../../lease-store.ts';
import { LEAVE_OUT } from '../../log.ts';
import type { InboxRow } from '../../inbox-store.ts';
import { type Faults, type AnyRow, shapely } from './rows.ts';
import type { Owners } from './owners.ts';

/** A row of the table `inbox` that has the shape of its table. */
export interface CommandRow extends InboxRow {
  readonly root: string;
}

/** Commands. One that was delivered is an event of some run of its tree. */
export function auditInbox(db: DatabaseSync, owners: Owners, faults: Faults): void {
  const nameOf = ({ id }: AnyRow) => `inbox, command ${String(id)}`;
  for (const row of shapely(db, 'SELECT * FROM inbox', nameOf, faults))
    for (const reason of commandMisfits(row as unknown as CommandRow, owners))
      faults.add(nameOf(row), reason, LEAVE_OUT);
}

/** Why a command does not belong to the runs of a store as they are. */
export function commandMisfits(row: CommandRow, owners: Owners): readonly string[] {
  const { run, root, payload, at, delivered, rejected } = row;
  const misfits = jsonIn(payload) === undefined ? ['the column payload holds no JSON'] : [];
  if (delivered !== null && rejected !== null) misfits.push('it was both delivered and rejected');
  const of = owners.runOf(run);
  if (of === null) return [...misfits, `it is for run ${run}, which is not in the log`];
  if (at < of.created_at - MAX_CLOCK_AHEAD_MS) misfits.push('it was sent before its run began');
  if (of.root !== root) return [...misfits, `it is for run ${run} of the tree ${of.root}, and is listed for ${root}`];
  return [...misfits, ...deliveryMisfits(row, owners)];
}

function deliveryMisfits({ root, type, payload, at, delivered, rejected }: CommandRow, owners: Owners): string[] {
  if (delivered !== null)
    return owners.hasInTree(root, delivered, type)
      ? []
      : [`it was delivered as version ${delivered}, ${type}, and no run of its tree has that event`];
  const recorded =
    rejected === null ? owners.undelivered({ root, type, payload, since: at - MAX_CLOCK_AHEAD_MS }) : null;
  return recorded === null
    ? []
    : [`it waits, and ${recorded} is such a command, which none was delivered as: it would be carried out again`];
}
