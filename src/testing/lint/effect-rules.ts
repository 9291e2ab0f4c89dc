import type { Rule } from './rule.ts';
import { invokesOf, membersNamed, RESULTS } from './chart-in-source.ts';

/** Effects have ids, and answer only with events. */
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
    name: 'one-effect-a-key',
    remedy:
      'Give it an `id` of its own: with two effects under one id, a result does not say which of them it answers.',
    offences: ({ machine: { config } }) => {
      const all = invokesOf(config).filter(({ invoke }) => typeof invoke['id'] === 'string');
      // A state comes after its ancestors.
      const isTwice = ({ by, invoke }: (typeof all)[number], index: number) =>
        all.slice(0, index).some((other) => other.invoke['id'] === invoke['id'] && isIn(other.by, by));
      return all
        .filter(isTwice)
        .map(({ place, invoke }) => ({ place: `${place}.id`, found: `${String(invoke['id'])}, once more` }));
    },
  },
  {
    name: 'no-system-id',
    remedy: 'Take it out: the `id` is enough, and a system of actors is not there when a log is folded.',
    offences: ({ machine: { config } }) =>
      membersNamed(config, 'systemId').map((place) => ({ place, found: 'a systemId' })),
  },
  {
    name: 'nothing-waits-by-itself',
    remedy: 'Start an effect that answers `timer.fired`: time is an event, or it could not be replayed.',
    offences: ({ machine: { config } }) =>
      membersNamed(config, 'after', 'delay').map((place) => ({ place, found: 'a clock' })),
  },
  {
    name: 'results-are-events',
    remedy: 'Take the result as an event of the vocabulary: nothing else is recorded.',
    offences: ({ machine: { config } }) =>
      membersNamed(config, ...RESULTS).map((place) => ({ place, found: 'a result that is no event' })),
  },
];

/** Whether a state is another one, or within it. */
const isIn = (outer: string, place: string): boolean => outer === '' || `${place}.`.startsWith(`${outer}.`);
