import type { CatalogueEntry } from '../../../machines/index.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Rule } from './rule.ts';

/** Rules that must hold before any other rule can be checked. */
export const definitionRules: readonly Rule[] = [
  {
    name: 'made-by-xstate',
    remedy:
      'Hand in what `setup({…}).createMachine({…})` of XState 5 returns. Where it is undefined, look at its import.',
    offences: ({ machine }) => (isMachine(machine) ? [] : [{ place: 'machine', found: kindOf(machine) }]),
  },
  {
    name: 'the-definition-is-whole',
    remedy: 'Make the loop by `defineLoop`, which fills in what can be left out.',
    offences: (loop) => [
      ...Object.entries(MEMBERS)
        .filter(([name, kind]) => typeof Reflect.get(loop, name) !== kind)
        .map(([name]) => ({ place: name, found: kindOf(Reflect.get(loop, name)) })),
      ...Object.entries<unknown>(isObject(loop.effects) ? loop.effects : {})
        .filter(([, spec]) => !isObject(spec))
        .map(([name, spec]) => ({ place: `effects.${name}`, found: kindOf(spec) })),
    ],
  },
];

const MEMBERS = {
  rounds: 'object',
  effects: 'object',
  judge: 'function',
  describe: 'object',
} as const satisfies Partial<Record<keyof LoopDefinition, string>>;

/**
 * Callers without types may pass anything. `instanceof` is not used, because a project may have two copies of XState.
 */
export const isMachine = (machine: unknown): machine is CatalogueEntry['machine'] =>
  isObject(machine) &&
  typeof Reflect.get(machine, 'transition') === 'function' &&
  ['config', 'root', 'implementations'].every((name) => isObject(Reflect.get(machine, name)));

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null;

function kindOf(value: unknown): string {
  if (!isObject(value)) return value === null || value === undefined ? String(value) : `a ${typeof value}`;
  return `an object with ${Object.keys(value).slice(0, 5).join(', ') || 'nothing in it'}`;
}
