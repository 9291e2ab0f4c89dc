import type { Rule } from './rule.ts';
import { invokesOf, membersNamed } from './written-chart.ts';

/** What a chart asks of the world has an id, and answers with events alone. */
export const effectRules: readonly Rule[] = [
  {
    name: 'invokes-have-ids',
    remedy: 'Write an `id`: results, stored states and the log know an effect by it.',
    offences: ({ machine: { config } }) =>
      invokesOf(config)
        .filter(({ invoke }) => typeof invoke['id'] !== 'string')
        .map(({ place, invoke }) => ({ place: `${place}.id`, found: `none for ${String(invoke['src'])}` })),
  },
  {
    name: 'no-system-id',
    remedy: 'Take it out: the `id` is enough, and a system of actors is not there when a log is folded.',
    offences: ({ machine: { config } }) => membersNamed(config, 'systemId').map((place) => ({ place, found: 'a systemId' })),
  },
  {
    name: 'nothing-waits-by-itself',
    remedy: "Invoke the actor `timer` with an id, and take `timer.fired`: time is an event, or it could not be replayed.",
    offences: ({ machine: { config } }) => membersNamed(config, 'after', 'delay').map((place) => ({ place, found: 'a clock' })),
  },
  {
    name: 'results-are-events',
    remedy: 'Take the result as an event of the vocabulary: nothing else is recorded.',
    offences: ({ machine: { config } }) =>
      membersNamed(config, 'onDone', 'onError', 'onSnapshot').map((place) => ({ place, found: 'a result that is no event' })),
  },
];
