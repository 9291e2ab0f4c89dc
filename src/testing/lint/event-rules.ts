import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Rule } from './rule.ts';
import { typesIn } from './event-types.ts';
import { choicesOf, invokesOf } from './chart-in-source.ts';

const known = ({ events }: LoopDefinition): readonly string[] => typesIn(events) ?? [];
const taken = ({ machine }: LoopDefinition) => choicesOf(machine.config).filter(({ event }) => event !== null);

/** Events that open a run or change its machine; no chart takes them. */
const BESIDE: readonly string[] = ['run.started', 'run.migrated'];

/** A chart takes exactly the events of its vocabulary. */
export const eventRules: readonly Rule[] = [
  {
    name: 'vocabulary-is-facts',
    remedy: 'Make `events` a discriminated union of `fact(…)`s: what enters a run is parsed by it.',
    offences: ({ events }) => (typesIn(events) === null ? [{ place: 'events', found: 'no union of facts' }] : []),
  },
  {
    name: 'what-is-taken-can-happen',
    remedy: 'Add the fact to `events`, or take the name of one that is there.',
    offences: (loop) =>
      typesIn(loop.events) === null
        ? []
        : taken(loop)
            .filter(({ event }) => event !== null && !known(loop).includes(event))
            .map(({ place, event }) => ({ place, found: `${event} is not in the vocabulary` })),
  },
  {
    name: 'what-can-happen-is-taken',
    remedy: 'Take it in some state, or leave it out of `events`.',
    offences: (loop) => {
      const descriptors = taken(loop).flatMap(({ event }) => event ?? []);
      return known(loop)
        .filter((type) => !BESIDE.includes(type) && !descriptors.some((descriptor) => takes(descriptor, type)))
        .map((type) => ({ place: `events.${type}`, found: 'no state takes it' }));
    },
  },
  {
    name: 'results-have-an-effect',
    remedy: 'Write the type of an event of `events`, and the id of an effect that the chart invokes.',
    offences: (loop) => {
      const ids = invokesOf(loop.machine.config).map(({ invoke }) => invoke['id']);
      return Object.entries(loop.settles ?? {}).flatMap(([type, id]) => [
        ...(known(loop).includes(type)
          ? []
          : [{ place: placeOf(loop, type), found: `${type} is not in the vocabulary` }]),
        ...(ids.includes(id) ? [] : [{ place: placeOf(loop, type), found: `nothing is invoked as ${id}` }]),
      ]);
    },
  },
];

/** The member that names the effect of a result. */
function placeOf({ effects }: LoopDefinition, type: string): string {
  const [name] = Object.entries(effects).find(([, { answers = {} }]) => Object.hasOwn(answers, type)) ?? [];
  return name === undefined ? `settles.${type}` : `effects.${name}.answers.${type}`;
}

/** As XState matches them: `*` takes every event, `review.*` each whose type begins with `review.`, or is `review`. */
export function takes(descriptor: string, type: string): boolean {
  if (descriptor === type || descriptor === '*') return true;
  return descriptor.endsWith('.*') && `${type}.`.startsWith(descriptor.slice(0, -1));
}
