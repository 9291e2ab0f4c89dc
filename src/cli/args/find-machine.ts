import { nearest } from '../../text/nearest.ts';
import { type LoopDefinition, loopNameOf, newestOf } from '../../kernel/loop-definition.ts';
import { usage } from '../pages/complaint.ts';

/** The loop of that name: its newest version, or by `NAME@VERSION` that version. */
export function findMachine(name: string, loops: readonly LoopDefinition[]): LoopDefinition {
  const found = newestOf(name, loops) ?? loops.find(({ id }) => id === name);
  if (found) return found;
  const known = [...new Set(loops.map(({ id }) => loopNameOf(id))), ...loops.map(({ id }) => id)];
  const meant = nearest(name, known);
  throw usage(
    'NAME',
    `one of ${known.join(', ')}, the path of a module with a loop, or --run RUN`,
    `'${name}'${meant === null ? '' : `. Did you mean ${meant}?`}`,
    ['machine'],
  );
}

interface RunFlags {
  readonly run?: string;
  readonly last?: boolean;
  readonly at?: string;
}

/** Whether the arguments name the machine of a run, and not a machine by its name. */
export function meansRun(name: string | undefined, { run, last = false, at }: RunFlags): boolean {
  const isOfRun = run !== undefined || last;
  if (isOfRun && name !== undefined)
    throw usage('NAME', 'either a machine or a run, whose machine it is then', `'${name}' and a run`);
  if (!isOfRun && at !== undefined)
    throw usage('--at', 'a version of a run, to go with --run RUN or --last', `'${at}'`);
  return isOfRun;
}
