import type { CatalogueEntry } from '../../../machines/index.ts';
import { namesCombined, namesEnqueued } from './names-in-setup.ts';
import type { Rule } from './rule.ts';
import { functionsIn, namesIn } from './chart-in-source.ts';

type Machine = CatalogueEntry['machine'];

/** A chart contains names only; the functions are in `setup`. */
export const nameRules: readonly Rule[] = [
  {
    name: 'nothing-but-names',
    remedy:
      'Give a guard, an action or an actor a name in `setup` and write that name here; write `params` and `input` as plain values. ' +
      'Editors of charts read names and plain values only.',
    offences: ({
      machine: {
        config: { context: _context, ...rest },
      },
    }) =>
      functionsIn(rest).map((place) => ({
        place,
        found: place.endsWith('.src') ? 'an actor without a name' : 'a function',
      })),
  },
  {
    name: 'names-are-provided',
    remedy: 'Provide it in `setup`, or name one that is there.',
    offences: ({ machine }) =>
      [...namesIn(machine.config), ...namesCombined(machine)]
        .filter(({ kind, name }) => !provided(machine, kind).includes(name))
        .map(({ place, kind, name }) => ({ place, found: `${name} is not among the ${kind}` })),
  },
  {
    // Actors are not checked: an action may start one by a name from an event.
    name: 'what-is-provided-is-used',
    remedy: 'Name it in the chart, or take it out of `setup`.',
    offences: ({ machine }) => {
      const named = [...namesIn(machine.config), ...namesCombined(machine), ...namesEnqueued(machine)];
      const isNamed = (kind: string, name: string) => named.some((one) => one.kind === kind && one.name === name);
      return (['actions', 'guards'] as const).flatMap((kind) =>
        provided(machine, kind)
          .filter((name) => !isNamed(kind, name))
          .map((name) => ({ place: `setup.${kind}.${name}`, found: 'nothing names it' })),
      );
    },
  },
  {
    name: 'one-inert-actor',
    remedy:
      'Name every actor with one and the same `fromCallback(() => {})`: a host performs them, the chart never does.',
    offences: ({ machine: { implementations } }) => {
      const distinct = new Set(Object.values(implementations.actors));
      return distinct.size <= 1 ? [] : [{ place: 'setup.actors', found: `${distinct.size} different ones` }];
    },
  },
  {
    name: 'a-context-without-input',
    remedy: 'Let `context` bear being called without input: it is, wherever a stored state is restored.',
    offences: ({ machine: { config } }) => {
      const context: unknown = config.context;
      if (typeof context !== 'function') return [];
      try {
        context({ input: undefined, spawn: () => {}, self: {} });
        return [];
      } catch (error) {
        return [{ place: 'context', found: String(error) }];
      }
    },
  },
];

const provided = ({ implementations }: Machine, kind: 'actions' | 'guards' | 'actors'): string[] =>
  Object.keys(implementations[kind]);
