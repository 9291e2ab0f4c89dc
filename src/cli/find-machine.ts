import { catalogue, type CatalogueEntry, newest } from '../../machines/index.ts';
import { nearest } from '../config/nearest.ts';
import { usage } from './complaint.ts';

/** The machine that a person means: `turn` is the newest of its loop, `turn@1` that very one. */
export function findMachine(name: string, machines: readonly CatalogueEntry[] = catalogue): CatalogueEntry {
  const loops: Readonly<Record<string, string>> = newest;
  const id = Object.hasOwn(loops, name) ? loops[name] : name;
  const found = machines.find((entry) => entry.id === id);
  if (found) return found;
  const known = [...Object.keys(loops), ...machines.map((entry) => entry.id)];
  const meant = nearest(name, known);
  throw usage('NAME', `one of ${known.join(', ')}`, `'${name}'${meant === null ? '' : `. Did you mean ${meant}?`}`, ['machine']);
}

interface RunFlags {
  readonly run?: string;
  readonly last?: boolean;
  readonly at?: string;
}

/** Whether a person means the machine of a run, not one by its name. */
export function meansRun(name: string | undefined, { run, last = false, at }: RunFlags): boolean {
  const isOfRun = run !== undefined || last;
  if (isOfRun && name !== undefined) throw usage('NAME', 'either a machine or a run, whose machine it is then', `'${name}' and a run`);
  if (!isOfRun && at !== undefined) throw usage('--at', 'a version of a run, to go with --run RUN or --last', `'${at}'`);
  return isOfRun;
}
