import { type CatalogueEntry, type FrozenMachine, loopNameOf, newestOf } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import type { Json } from '../log/envelope.ts';
import { contextFields, freeze, type MachineSnapshot, thaw } from './step.ts';

/** A machine, and its snapshot. */
export interface MachineState {
  readonly entry: CatalogueEntry;
  readonly snapshot: MachineSnapshot;
}

/** A log says that a run was migrated, and this process does not know the migration. Nothing was written. */
export class MigrationError extends Error {
  override readonly name = 'MigrationError';
  readonly from: string;
  readonly to: string;

  constructor(from: string, to: string, reason: string) {
    super(`The run was migrated from ${from} to ${to}: ${reason}. Use the version of the program that migrated it.`);
    this.from = from;
    this.to = to;
  }
}

/** The same state under the next version of its machine; or a sentence why there is none. */
export function migratedState({ entry, snapshot }: MachineState, to: string): MachineState | string {
  const { migration } = entry;
  if (migration?.to.id !== to) return `there is no migration from ${entry.id} to ${to}`;
  const frozen = migration.migrate(freeze(entry.machine, snapshot) as unknown as FrozenMachine);
  const { machine } = migration.to;
  const forgotten = contextFields(machine).filter((field) => !(field in frozen.context));
  if (forgotten.length > 0) return `the context of ${to} has ${forgotten.join(', ')}, which the migration does not set`;
  const carried = thaw(machine, frozen as unknown as Json);
  if (carried.status !== snapshot.status) return `${to} has no state ${JSON.stringify(frozen.value)}`;
  const changed = Object.entries(dueIn(snapshot)).find(([what, due]) => due !== dueIn(carried)[what]);
  return changed
    ? `${changed[0]} would change, and a migration may not start or stop effects`
    : { entry: migration.to, snapshot: carried };
}

/** The effects of a machine, by how they came about: a migration starts none, and stops none. */
function dueIn(snapshot: MachineSnapshot): Readonly<Record<string, string>> {
  const { pending } = snapshot.context as Life;
  const invoked = snapshot._nodes.flatMap(({ invoke }) => invoke.map(({ id, src }) => `${id}: ${String(src)}`));
  return {
    'what its state invokes': invoked.toSorted().join(', '),
    'what was started': Object.keys(snapshot.children).toSorted().join(', '),
    'what is pending': Object.entries(pending)
      .map((entry) => entry.join(': '))
      .toSorted()
      .join(', '),
  };
}

/** The versions that a run can migrate to, the newest of its loop last; or a sentence why that one is out of reach. */
export function versionsAhead(
  entry: CatalogueEntry,
  machines: readonly CatalogueEntry[],
): readonly CatalogueEntry[] | string {
  const ahead: CatalogueEntry[] = [];
  for (let at = entry.migration?.to; at && !ahead.includes(at); at = at.migration?.to) ahead.push(at);
  const last = ahead.at(-1) ?? entry;
  const newest = newestOf(loopNameOf(entry.id), machines);
  if (newest && newest.id !== last.id) return `there is no migration from ${last.id} to ${newest.id}`;
  return ahead;
}
