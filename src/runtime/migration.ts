import { type CatalogueEntry, type FrozenMachine, loopNameOf, newestOf } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import type { Json } from '../log/envelope.ts';
import { contextFields, freeze, type MachineSnapshot, thaw } from './step.ts';

/** A machine, and where it stands. */
export interface Standing {
  readonly entry: CatalogueEntry;
  readonly snapshot: MachineSnapshot;
}

/** A log says that a run was migrated, and nobody here knows how. Nothing was written. */
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

/** The same place under the next version of its machine; or, in words, why there is none. */
export function carriedOver({ entry, snapshot }: Standing, to: string): Standing | string {
  const { migration } = entry;
  if (migration?.to.id !== to) return `nobody has said how a run of ${entry.id} goes on under ${to}`;
  const frozen = migration.migrate(freeze(entry.machine, snapshot) as unknown as FrozenMachine);
  const { machine } = migration.to;
  const forgotten = contextFields(machine).filter((field) => !(field in frozen.context));
  if (forgotten.length > 0) return `${to} remembers ${forgotten.join(', ')}, and the migration does not say what`;
  const carried = thaw(machine, frozen as unknown as Json);
  if (carried.status !== snapshot.status) return `${to} has no place ${JSON.stringify(frozen.value)}`;
  const changed = Object.entries(dueIn(snapshot)).find(([what, due]) => due !== dueIn(carried)[what]);
  return changed ? `${changed[0]} would change, and what is under way stays under way` : { entry: migration.to, snapshot: carried };
}

/** What a machine waits for: a migration starts nothing, and stops nothing. */
function dueIn(snapshot: MachineSnapshot): Readonly<Record<string, string>> {
  const { pending } = snapshot.context as Life;
  const invoked = snapshot._nodes.flatMap(({ invoke }) => invoke.map(({ id, src }) => `${id}: ${String(src)}`));
  return {
    'what its place asks for': invoked.toSorted().join(', '),
    'what was started': Object.keys(snapshot.children).toSorted().join(', '),
    'what owes an answer': Object.entries(pending).map((entry) => entry.join(': ')).toSorted().join(', '),
  };
}

/** The versions that a run has before it, the newest of its loop last; or, in words, why it cannot get there. */
export function versionsAhead(entry: CatalogueEntry, machines: readonly CatalogueEntry[]): readonly CatalogueEntry[] | string {
  const ahead: CatalogueEntry[] = [];
  for (let at = entry.migration?.to; at && !ahead.includes(at); at = at.migration?.to) ahead.push(at);
  const last = ahead.at(-1) ?? entry;
  const newest = newestOf(loopNameOf(entry.id), machines);
  if (newest && newest.id !== last.id) return `nobody has said how a run of ${last.id} goes on under ${newest.id}`;
  return ahead;
}
