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
