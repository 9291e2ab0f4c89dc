import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { answerRules } from './answer-rules.ts';
import { effectRules } from './effect-rules.ts';
import { eventRules } from './event-rules.ts';
import { memberRules } from './member-rules.ts';
import { nameRules } from './name-rules.ts';
import type { Offence, Rule } from './rule.ts';
import { shapeRules } from './shape-rules.ts';
import { specRules } from './spec-rules.ts';
import { nodesOf } from '../../charts/transitions.ts';
import { choicesOf, isNotObvious, leads, placeOfState, within } from './chart-in-source.ts';
import type { CatalogueEntry } from '../../../machines/index.ts';

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

/** A chart describes its states and its choices for its readers. */
const descriptionRules: readonly Rule[] = [
  {
    name: 'states-are-described',
    remedy: 'Say in one sentence what goes on there.',
    offences: ({ machine: { root } }) =>
      nodesOf(root)
        .filter(({ description }) => !description)
        .map(({ path }) => ({ place: within(placeOfState(path), 'description'), found: 'none' })),
  },
  {
    // Several candidates, a re-entry of the same state and a closed transition are not obvious.
    name: 'choices-are-described',
    remedy: 'Say in one sentence when this transition is taken, and why.',
    offences: ({ machine: { config } }) =>
      choicesOf(config)
        .filter((choice) => isNotObvious(choice) && !choice.description)
        .map(({ place }) => ({ place: `${place}.description`, found: 'none' })),
  },
  {
    // XState would take the event without any effect: it would be recorded for nothing.
    name: 'what-is-taken-does-something',
    remedy: 'Give it a target or an action, or take the guard away where the event is meant to be refused.',
    offences: ({ machine: { config } }) =>
      choicesOf(config)
        .filter((choice) => choice.guard !== undefined && !leads(choice))
        .map(({ place }) => ({ place, found: 'a guard before nothing' })),
  },
];

/** The rules that every loop keeps. */
export const rules: readonly Rule[] = [
  ...definitionRules,
  ...memberRules,
  ...shapeRules,
  ...nameRules,
  ...effectRules,
  ...descriptionRules,
  ...eventRules,
  ...specRules,
  ...answerRules,
];

/**
 * The offences of a loop against the rules of every loop, in the order of the rules. Empty where it keeps them all.
 *
 * @example
 * for (const { rule, place, found, remedy } of lint(loop)) console.log(`${rule}: ${place}: ${found}. ${remedy}`);
 */
export function lint(loop: LoopDefinition): Offence[] {
  const missing = definitionRules.flatMap((rule) => offencesAgainst(rule, loop));
  return missing.length > 0 ? missing : rules.flatMap((rule) => offencesAgainst(rule, loop));
}

export const offencesAgainst = ({ name, remedy, offences }: Rule, loop: LoopDefinition): Offence[] =>
  offences(loop).map(({ place, found }) => ({ rule: name, place, found, remedy }));
