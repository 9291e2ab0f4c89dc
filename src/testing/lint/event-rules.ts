import type { CatalogueEntry } from '../../../machines/index.ts';
import type { Rule } from './rule.ts';
import { typesIn } from './vocabulary.ts';
import { choicesOf, invokesOf } from './written-chart.ts';

const known = ({ events }: CatalogueEntry): readonly string[] => typesIn(events) ?? [];
const taken = ({ machine }: CatalogueEntry) => choicesOf(machine.config).filter(({ event }) => event !== null);

/** What opens a run, or changes its machine, is no event of the machine. */
const BESIDE: readonly string[] = ['run.started', 'run.migrated'];

/** What a chart takes, and what can happen at all, are the same. */
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
        ...(known(loop).includes(type) ? [] : [{ place: `settles.${type}`, found: `${type} is not in the vocabulary` }]),
        ...(ids.includes(id) ? [] : [{ place: `settles.${type}`, found: `nothing is invoked as ${id}` }]),
      ]);
    },
  },
];

/** As XState matches them: `*` takes every event, `review.*` each whose type begins with `review.`, or is `review`. */
function takes(descriptor: string, type: string): boolean {
  if (descriptor === type || descriptor === '*') return true;
  return descriptor.endsWith('.*') && `${type}.`.startsWith(descriptor.slice(0, -1));
}
