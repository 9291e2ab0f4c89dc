import type { Chart, ChartState, ChartTransition, Move, Nesting } from '../chart.ts';
import type { Line, Wording } from './lines.ts';

/** Several between the same two boxes are one arrow. */
export interface Arrow {
  readonly id: string;
  /** Ids of boxes. */
  readonly from: string;
  readonly to: string;
  readonly kind: 'event' | 'always' | 'start';
  readonly lines: readonly Line[];
}

/** The ids of what is drawn of a state: itself, where its parts start, and where what holds in all of them starts. */
export const boxId = (path: string): string => `state ${path}`;
export const startId = (path: string): string => `start ${path}`;
export const anywhereId = (path: string): string => `anywhere ${path}`;

export function arrowsOf(chart: Chart, moves: readonly Move[], nesting: Nesting, wording: Wording): Arrow[] {
  const starts = chart.states.filter(({ parent, path }) => {
    const whole = chart.states.find(({ path }) => path === parent);
    return whole && nesting.isOpen(whole.path) && (whole.initial ?? path) === path;
  });
  const ends = moves.filter(({ from, to }) => from !== to).map((move) => endsOf(move, nesting));
  const merged = Map.groupBy(ends, ({ from, to, kind }) => `${from} ${kind} to ${to}`);
  const arrows = [...merged].flatMap(([id, same]): Arrow[] => {
    const lines = wording(same.map(({ transition }) => transition));
    return same.slice(0, 1).map(({ from, to, kind }) => ({ id, from, to, kind, lines }));
  });
  return [...starts.map(startOf), ...arrows];
}

/** Where its whole starts. Regions side by side start together. */
function startOf({ path, parent }: ChartState): Arrow {
  const [from, to] = [startId(parent ?? ''), boxId(path)];
  return { id: `${from} to ${to}`, from, to, kind: 'start', lines: [] };
}

interface Ends extends Omit<Arrow, 'id' | 'lines'> {
  readonly transition: ChartTransition;
}

/** An arrow into its own whole begins it anew; one from a whole into a part starts anywhere in the whole. */
function endsOf({ transition, from, to }: Move, { isWithin }: Nesting): Ends {
  return {
    transition,
    from: isWithin(to, from) ? anywhereId(from) : boxId(from),
    to: isWithin(from, to) ? startId(to) : boxId(to),
    kind: transition.event === null ? 'always' : 'event',
  };
}
