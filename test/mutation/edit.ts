import type { CatalogueEntry } from '../../machines/index.ts';

type Machine = CatalogueEntry['machine'];
export type Written = Record<string, unknown>;

/** A chart that may be edited: a copy, in which whatever an event or nothing leads to is a list of objects. */
export interface Sheet {
  readonly chart: Written;
  readonly guards: Record<string, unknown>;
}

export function sheetOf({ config, implementations }: Machine): Sheet {
  const chart = copied(config) as Written;
  spelledOut(chart);
  return { chart, guards: { ...implementations.guards } };
}

export function stateIn(chart: Written, path: readonly string[]): Written {
  return path.reduce((state, name) => (state['states'] as Record<string, Written>)[name] as Written, chart);
}

/** What an event may lead to, or no event. */
export function candidatesIn(chart: Written, path: readonly string[], event: string | null): Written[] {
  const state = stateIn(chart, path);
  return (event === null ? state['always'] : (state['on'] as Written)[event]) as Written[];
}

/** How often a name stands as a guard anywhere. */
export function timesGuarding(chart: unknown, name: string): number {
  if (typeof chart !== 'object' || chart === null) return 0;
  return Object.entries(chart).reduce(
    (sum, [key, value]) => sum + (key === 'guard' && value === name ? 1 : timesGuarding(value, name)),
    0,
  );
}

export const listOf = (written: unknown): unknown[] => (written === undefined ? [] : [written].flat());

function spelledOut(state: Written): void {
  const on = state['on'] as Written | undefined;
  for (const event of Object.keys(on ?? {})) Object.assign(on ?? {}, { [event]: listOf(on?.[event]).map(spelled) });
  if (state['always'] !== undefined) state['always'] = listOf(state['always']).map(spelled);
  for (const inner of Object.values((state['states'] ?? {}) as Record<string, Written>)) spelledOut(inner);
}

const spelled = (candidate: unknown): unknown => (typeof candidate === 'string' ? { target: candidate } : candidate);

/** Functions stay the same ones. */
function copied(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(copied);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, copied(inner)]));
}
