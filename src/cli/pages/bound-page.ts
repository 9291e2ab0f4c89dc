import { grouped } from '../../text/money.ts';
import { type LoopDefinition, newestOf } from '../../kernel/loop-definition.ts';
import { amount } from '../../projections/phrases.ts';
import type { Bound } from '../../termination/bound.ts';
import { wordsOf } from './loop-text.ts';
import { columns } from './table.ts';

const BY_ITSELF = 'without input from outside';

/** The most events that a new run of a machine can take, part by part. */
export const boundLines = (bound: Bound, machine: string, known: readonly LoopDefinition[]): string[] => [
  ...textOf(bound, `a run of ${machine}`, known),
  ...treeLines(bound),
];

/** The same of a recorded run, from its present state. */
export const boundLeftLines = ({
  run,
  version,
  parts,
  events,
}: Pick<Bound, 'parts' | 'events'> & { readonly run: string; readonly version: number }): string[] => [
  `run ${run} at version ${version}: ${atMost(events, 'more event')}, ${BY_ITSELF}`,
  ...rowsOf(parts),
];

function textOf(
  { loop, rounds, boundBy, because, parts, events, attempt }: Bound,
  what: string,
  known: readonly LoopDefinition[],
): string[] {
  const { round, child } = wordsOf(newestOf(loop, known));
  // Options have no unit in their names.
  const cap = boundBy === null ? '' : `, by ${boundBy.replace(/Ms$/, '')}`;
  return [
    `${what}: ${atMost(events, 'event')} after its first, ${BY_ITSELF}`,
    `  ${amountOf(rounds, round)}${cap}${because === undefined ? '' : `: ${because}`}`,
    ...rowsOf(parts),
    ...(attempt ? textOf(attempt, `each ${child}`, known) : []),
  ];
}

const treeLines = ({ tree: { runs, events } }: Bound): string[] =>
  runs > 1 ? [`with all below it: ${amountOf(runs, 'run')}, ${atMost(events, 'event')}`] : [];

const rowsOf = (parts: Bound['parts']): string[] => {
  const used = parts.filter(({ events }) => events > 0);
  const widest = Math.max(0, ...used.map(({ events }) => figure(events).length));
  return columns(used.map(({ means, events }) => [`  ${figure(events).padStart(widest)}`, means]));
};

const atMost = (count: number, unit: string): string =>
  count === Infinity ? `${unit}s without end` : `at most ${amount(count, unit)}`;
const amountOf = (count: number, unit: string): string =>
  count === Infinity ? `${unit}s without end` : amount(count, unit);
const figure = (count: number): string => (count === Infinity ? '∞' : grouped(count));
