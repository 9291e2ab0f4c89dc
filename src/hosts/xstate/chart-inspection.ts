import type { StateValue } from 'xstate';
import { type CatalogueEntry, loopNameOf, newestOf } from '../../../machines/index.ts';

/** A chart as Stately's inspector reads it from the `config` of actor logic: the configuration of a machine. */
export interface InspectedChart {
  readonly id: string;
  readonly description: string;
  readonly initial: string;
  /** The newest chart of each loop, by the name of the loop. */
  readonly states: Readonly<Record<string, object>>;
}

/**
 * The charts of all loops as one: the same logic runs any of them, and which one is known only when a run starts.
 */
export function inspectedChart(loops: readonly CatalogueEntry[]): InspectedChart {
  const names = [...new Set(loops.map(({ id }) => loopNameOf(id)))];
  const newest = names.flatMap((name) => newestOf(name, loops) ?? []);
  return {
    id: 'loopfold',
    description: 'The loops that this logic can run. An actor is in one of them.',
    initial: names[0] ?? '',
    states: Object.fromEntries(newest.map((entry) => [loopNameOf(entry.id), asState(entry)])),
  };
}

/** A machine as a state of another: only the outermost one has a context and a version. */
function asState({ machine }: CatalogueEntry): object {
  const { context: _context, version: _version, ...chart } = machine.config;
  return chart;
}

/** Where a run is on that chart: `{ turn: { stream: 'asking' } }`. */
export const inspectedValue = ({ id }: CatalogueEntry, value: StateValue): StateValue => ({ [loopNameOf(id)]: value });
