import { type Chart, type ChartState, movesOf, nestingOf } from '../chart.ts';
import type { ChartMarks } from '../overlay.ts';
import { anywhereId, type Arrow, arrowsOf, boxId, startId } from './draw-arrows.ts';
import { deedsOf, type Detail, type Line, wordingOf } from './lines.ts';

export interface DrawingOptions {
  /** How many levels of states are drawn. What lies deeper is drawn as the state it is part of. */
  readonly depth?: number;
  /** How much is said: `events` by default. */
  readonly detail?: Detail;
  /** What a run has done. */
  readonly marks?: ChartMarks;
}

/** What is to be drawn, before anything has a place. */
export interface Sketch {
  readonly boxes: readonly Box[];
  readonly arrows: readonly Arrow[];
}

/** A state, the dot where its parts start, or the place where what holds in all of its parts starts. */
export interface Box {
  readonly id: string;
  readonly kind: 'state' | 'final' | 'start' | 'anywhere';
  readonly path: string;
  readonly title: string;
  readonly description: string | null;
  readonly lines: readonly Line[];
  readonly active: boolean;
  /** How often it was entered. Null if no run is shown. */
  readonly visits: number | null;
  readonly parts: readonly Box[];
}

/** Decides which boxes and arrows a drawing of a chart has, and what they say. */
export function sketch(chart: Chart, options: DrawingOptions = {}): Sketch {
  const { depth = Number.POSITIVE_INFINITY, detail = 'events', marks = {} } = options;
  const nesting = nestingOf(chart, depth);
  const moves = movesOf(chart, nesting);
  const wording = wordingOf(detail, marks);

  const linesOf = (state: ChartState): Line[] => {
    const loops = moves.filter(({ from, to }) => from === state.path && to === state.path);
    const stays = chart.transitions.filter(({ from, to }) => from === state.path && to.length === 0);
    const again = wording(loops.map(({ transition }) => transition));
    return [
      ...deedsOf(state, detail),
      ...again.map((line) => ({ ...line, text: `↻ ${line.text}` })),
      ...(detail === 'arrows' ? [] : wording(stays)),
    ];
  };

  const boxOf = (state: ChartState): Box => ({
    id: boxId(state.path),
    kind: state.kind === 'final' ? 'final' : 'state',
    path: state.path,
    title: state.kind === 'history' ? `${state.key} (history)` : state.key,
    description: state.description,
    lines: linesOf(state),
    active: marks.active?.some((path) => path === state.path || nesting.isWithin(path, state.path)) ?? false,
    visits: marks.visits ? (marks.visits[state.path] ?? 0) : null,
    parts: nesting.isOpen(state.path) ? partsOf(state) : [],
  });

  /** The machine as a whole has no box of its own: what it does stands where what holds anywhere starts. */
  const partsOf = (whole: ChartState): Box[] => {
    const lines = whole.parent === null ? linesOf(whole) : [];
    const leadsInside = moves.some(({ from, to }) => from === whole.path && nesting.isWithin(to, from));
    const anywhere = { ...sign('anywhere', anywhereId(whole.path), whole), title: 'anywhere', lines };
    return [
      ...(nesting.isOpen(whole.path) ? [sign('start', startId(whole.path), whole)] : []),
      ...(leadsInside || lines.length > 0 ? [anywhere] : []),
      ...chart.states.filter(({ parent }) => parent === whole.path).map(boxOf),
    ];
  };

  const whole = chart.states.find(({ parent }) => parent === null);
  return { boxes: whole ? partsOf(whole) : [], arrows: arrowsOf(chart, moves, nesting, wording) };
}

const sign = (kind: 'start' | 'anywhere', id: string, { path }: ChartState): Box => ({
  id,
  kind,
  path,
  title: '',
  description: null,
  lines: [],
  active: false,
  visits: null,
  parts: [],
});

/** Boxes and all within them, the outermost first. */
export const boxesIn = (boxes: readonly Box[]): Box[] => boxes.flatMap((box) => [box, ...boxesIn(box.parts)]);
