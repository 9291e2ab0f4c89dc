import type { CatalogueEntry } from '../../../machines/index.ts';
import type { Rule } from './rule.ts';

/** What has to be there before any other rule can be asked. */
export const definitionRules: readonly Rule[] = [
  {
    name: 'made-by-xstate',
    remedy: 'Hand in what `setup({…}).createMachine({…})` of XState 5 returns. Where it is undefined, look at its import.',
    offences: ({ machine }) => (isMachine(machine) ? [] : [{ place: 'machine', found: kindOf(machine) }]),
  },
];

/** A caller without types hands in anything. Not asked by `instanceof`: a project may have two copies of XState. */
export const isMachine = (machine: unknown): machine is CatalogueEntry['machine'] =>
  isObject(machine) &&
  typeof Reflect.get(machine, 'transition') === 'function' &&
  ['config', 'root', 'implementations'].every((name) => isObject(Reflect.get(machine, name)));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function kindOf(value: unknown): string {
  if (!isObject(value)) return value === null || value === undefined ? String(value) : `a ${typeof value}`;
  return `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'nothing in it'}`;
}
