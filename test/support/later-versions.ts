import { createMachine } from 'xstate';
import type { CatalogueEntry, FrozenMachine, Migration } from '../../machines/index.ts';
import { contest } from '../../machines/contest.machine.ts';
import { iteration } from '../../machines/iteration.machine.ts';
import { ralph } from '../../machines/ralph.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import { shippedLoops } from '../../src/loops/index.ts';
import { definitionOf, type LoopDefinition } from '../../src/kernel/loop-definition.ts';

/** The states that have another name in a version of a loop that only tests know. */
export type NewNames = Readonly<Record<string, string>>;

/** The names of the second version: states that runs are in all the time. */
export const SECOND: NewNames = { judging: 'weighing', running: 'working', asking: 'listening', checking: 'proving' };
/** The third version renames two of them once more. */
export const THIRD: NewNames = { weighing: 'pondering', proving: 'testing' };

/** Every loop in all its versions, the newest first, each with its migration to the next. */
export function laterVersions(...names: readonly NewNames[]): readonly LoopDefinition[] {
  return [
    { loop: 'turn', machine: turn },
    { loop: 'iteration', machine: iteration },
    { loop: 'ralph', machine: ralph },
    { loop: 'contest', machine: contest },
  ].flatMap(({ loop, machine }) => {
    const definition = definitionOf(`${loop}@1`, shippedLoops);
    const machines = names.reduce<CatalogueEntry['machine'][]>(
      (all, next) => [...all, renamed(all.at(-1) ?? machine, next)],
      [machine],
    );
    return machines.reduceRight<LoopDefinition[]>((later, machine, index) => {
      const [to] = later;
      const migration = to && { to, migrate: renaming(names[index] ?? {}) };
      return [{ ...definition, id: `${loop}@${index + 1}`, machine, ...(migration ? { migration } : {}) }, ...later];
    }, []);
  });
}

/** The same snapshot under other names. */
export const renaming =
  (names: NewNames): Migration['migrate'] =>
  (frozen: FrozenMachine) => ({
    ...frozen,
    value: replaced(frozen.value, names),
  });

function renamed(machine: CatalogueEntry['machine'], names: NewNames): CatalogueEntry['machine'] {
  const { context, ...chart } = machine.config;
  const next = { ...(replaced(chart, names) as typeof chart), context };
  return createMachine(next as never, machine.implementations as never) as unknown as CatalogueEntry['machine'];
}

/** Every name in it that has a new one: of a member, of a value, or at the end of a path. */
function replaced(value: unknown, names: NewNames): unknown {
  if (typeof value === 'string') return value.replace(/[^.]+$/, (name) => names[name] ?? name);
  if (Array.isArray(value)) return value.map((item) => replaced(item, names));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [names[name] ?? name, replaced(inner, names)]),
  );
}
