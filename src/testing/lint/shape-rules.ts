import { Ending } from '../../../machines/outcome.ts';
import { nodesOf, pathOf, type StateNode, type Transition, transitionsOf } from '../../charts/transitions.ts';
import type { Found, Rule } from './rule.ts';
import { placeOfState, within } from './chart-in-source.ts';

const NINE: readonly string[] = ['stream', 'tools', 'verify', 'decide', ...Ending.options];

/** The states that every loop has. */
export const shapeRules: readonly Rule[] = [
  {
    name: 'nine-states',
    remedy: `A loop has ${NINE.join(', ')} at the top and no others: put a further state inside one of the first four.`,
    offences: ({ machine: { root } }) => difference(Object.keys(root.states), NINE, (name) => `states.${name}`),
  },
  {
    name: 'five-endings',
    remedy: `Exactly ${Ending.options.join(', ')} have \`type: 'final'\`.`,
    offences: ({ machine: { root } }) => {
      const finals = nodesOf(root).filter(({ type }) => type === 'final');
      return difference(finals.map(pathOf), Ending.options, (path) => `${placeOfState(path.split('.'))}.type`);
    },
  },
  {
    name: 'one-place-at-a-time',
    remedy:
      'Take the type out, and draw the states one after another: a run stands in one place, and comes back to none by memory.',
    offences: ({ machine: { root } }) =>
      nodesOf(root)
        .filter(({ type }) => type === 'parallel' || type === 'history')
        .map(({ path, type }) => ({ place: within(placeOfState(path), 'type'), found: type })),
  },
  {
    name: 'begins-in-decide',
    remedy: "Write `initial: 'decide'`: even the first round is a decision.",
    offences: ({ machine: { config } }) =>
      config.initial === 'decide' ? [] : [{ place: 'initial', found: String(config.initial) }],
  },
  {
    name: 'only-decide-ends',
    remedy: 'Lead to `decide`, whose recorded decision names the ending.',
    offences: ({ machine }) =>
      transitionsOf(machine)
        .filter(({ from }) => from.path[0] !== 'decide')
        .flatMap((transition) =>
          transition.to.filter(isFinal).map((end) => ({ place: targetOf(transition), found: end.key })),
        ),
  },
  {
    name: 'id-is-written',
    remedy:
      "Write an `id` such as 'reviewed' in the chart, of letters, digits, `-` and `_`: a log names the loop of a run by it.",
    offences: ({ machine: { config } }) =>
      /^[\w-]+$/.test(config.id ?? '')
        ? []
        : [{ place: 'id', found: config.id === undefined ? 'none' : JSON.stringify(config.id) }],
  },
  {
    name: 'version-is-written',
    remedy:
      "Write `version: '1'` beside the chart's `id`, a whole number, and a larger one when recorded runs would fold differently.",
    offences: ({ id, machine }) =>
      /^[1-9]\d*$/.test(machine.config.version ?? '') && id === `${machine.id}@${machine.config.version}`
        ? []
        : [{ place: 'version', found: `${machine.config.version ?? 'none'}, in the loop ${id}` }],
  },
];

const isFinal = ({ type }: StateNode): boolean => type === 'final';

function targetOf({ from, event, index }: Transition): string {
  const written: unknown = event === null ? from.config.always : Reflect.get(from.config.on ?? {}, event);
  const which = Array.isArray(written) ? `[${index}]` : '';
  return `${within(placeOfState(from.path), event === null ? 'always' : `on.${event}`)}${which}.target`;
}

const difference = (
  found: readonly string[],
  wanted: readonly string[],
  placeOf: (name: string) => string,
): Found[] => [
  ...found.filter((name) => !wanted.includes(name)).map((name) => ({ place: placeOf(name), found: 'one too many' })),
  ...wanted.filter((name) => !found.includes(name)).map((name) => ({ place: placeOf(name), found: 'missing' })),
];
