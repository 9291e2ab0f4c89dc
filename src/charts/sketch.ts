import type { Chart, ChartState, ChartTransition } from './chart.ts';
import type { ChartMarks } from './marks.ts';

export interface DrawingOptions {
  /** How many levels of states are drawn. What lies deeper is drawn as the state it is part of. */
  readonly depth?: number;
  /** `arrows` alone; also the `events` a state takes and stays; or all that, and which `actions` follow. `events` by default. */
  readonly detail?: 'arrows' | 'events' | 'actions';
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
  /** Null where nobody counts. */
  readonly visits: number | null;
  readonly parts: readonly Box[];
}

/** Several between the same two boxes are one arrow. */
export interface Arrow {
  readonly id: string;
  readonly from: string;
  readonly to: string;
  readonly kind: 'event' | 'always' | 'start';
  readonly lines: readonly Line[];
}

/** One line of text: a transition, or several that read the same, or what a state does. */
export interface Line {
  readonly text: string;
  readonly transitions: readonly { readonly id: string; readonly description: string | null }[];
  /** How often. Null where nobody counts. */
  readonly taken: number | null;
}

/** Decides which boxes and arrows a drawing of a chart has, and what they say. */
export function sketch(chart: Chart, options: DrawingOptions = {}): Sketch {
  const { depth = Number.POSITIVE_INFINITY, detail = 'events', marks = {} } = options;
  const states = new Map(chart.states.map((state) => [state.path, state]));
  const isOpen = ({ path, kind }: ChartState): boolean => (kind === 'compound' || kind === 'parallel') && levelOf(path) < depth;
  const shown = (path: string): string => (levelOf(path) > depth ? shown(parentOf(path)) : path);

  const moves = chart.transitions.flatMap((transition) =>
    transition.to.flatMap((to): Move[] => {
      const [from, target] = [shown(transition.from), shown(to)];
      const isHidden = from === target && (from !== transition.from || target !== to);
      return isHidden ? [] : [{ transition, from, to: target }];
    }),
  );
  const lineOf = (transitions: readonly ChartTransition[], sign = ''): Line => lineFor(transitions, sign, detail, marks);

  const staying = (path: string): Line[] => {
    const loops = moves.filter(({ from, to }) => from === path && to === path).map(({ transition }) => transition);
    const inner = chart.transitions.filter(({ from, to }) => from === path && to.length === 0);
    return [...loops.map((loop) => lineOf([loop], '↻ ')), ...(detail === 'arrows' ? [] : inner.map((stay) => lineOf([stay])))];
  };
  const doing = ({ entry, exit, invokes }: ChartState): Line[] => [
    ...(detail === 'actions' && entry.length > 0 ? [plain(`entry / ${entry.join(', ')}`)] : []),
    ...(detail === 'arrows' ? [] : invokes.map(({ src }) => plain(`do / ${src}`))),
    ...(detail === 'actions' && exit.length > 0 ? [plain(`exit / ${exit.join(', ')}`)] : []),
  ];

  const boxOf = (state: ChartState): Box => ({
    ...blank,
    id: stateId(state.path),
    kind: state.kind === 'final' ? 'final' : 'state',
    path: state.path,
    title: state.kind === 'history' ? `${state.key} (history)` : state.key,
    description: state.description,
    lines: [...doing(state), ...staying(state.path)],
    active: marks.active?.some((path) => path === state.path || path.startsWith(`${state.path}.`)) ?? false,
    visits: marks.visits ? (marks.visits[state.path] ?? 0) : null,
    parts: isOpen(state) ? within(state) : [],
  });

  const within = (outer: ChartState): Box[] => [
    ...(outer.initial === null ? [] : [{ ...blank, id: startId(outer.path), kind: 'start' as const, path: outer.path }]),
    ...anywhereIn(outer),
    ...chart.states.filter(({ parent }) => parent === outer.path).map(boxOf),
  ];

  const anywhereIn = (outer: ChartState): Box[] => {
    const lines = outer.path === '' ? [...doing(outer), ...staying('')] : [];
    const leadsInside = moves.some(({ from, to }) => from === outer.path && isWithin(to, from));
    if (!leadsInside && lines.length === 0) return [];
    return [{ ...blank, id: anywhereId(outer.path), kind: 'anywhere', path: outer.path, title: 'anywhere', lines }];
  };

  const arrows = new Map<string, { arrow: Arrow; lines: Map<string, ChartTransition[]> }>();
  for (const { transition, from, to } of moves) {
    if (from === to) continue;
    const kind = transition.event === null ? 'always' : 'event';
    const source = isWithin(to, from) ? anywhereId(from) : stateId(from);
    const target = isWithin(from, to) ? startId(to) : stateId(to);
    const id = `${source} ${kind} ${target}`;
    const { arrow, lines } = arrows.get(id) ?? { arrow: { id, from: source, to: target, kind, lines: [] }, lines: new Map() };
    const text = lineOf([transition]).text;
    lines.set(text, [...(lines.get(text) ?? []), transition]);
    arrows.set(id, { arrow, lines });
  }
  const starts = chart.states.flatMap((state): Arrow[] => {
    if (state.initial === null || !isOpen(state)) return [];
    const [from, to] = [startId(state.path), stateId(state.initial)];
    return [{ id: `${from} ${to}`, from, to, kind: 'start', lines: [] }];
  });
  const root = states.get('');
  return {
    boxes: root ? within(root) : [],
    arrows: [...starts, ...[...arrows.values()].map(({ arrow, lines }) => ({ ...arrow, lines: [...lines.values()].map((all) => lineOf(all)) }))],
  };
}

interface Move {
  readonly transition: ChartTransition;
  readonly from: string;
  readonly to: string;
}

const blank = { title: '', description: null, lines: [], active: false, visits: null, parts: [] } as const;
const plain = (text: string): Line => ({ text, transitions: [], taken: null });

function lineFor(transitions: readonly ChartTransition[], sign: string, detail: DrawingOptions['detail'], marks: ChartMarks): Line {
  const [first] = transitions;
  if (!first) return plain('');
  const condition = first.guard ?? (first.index > 0 ? 'else' : null);
  const words = [
    ...(first.event === null ? [] : [first.event]),
    ...(condition === null ? [] : [`[${condition}]`]),
    ...(detail === 'actions' && first.actions.length > 0 ? [`/ ${first.actions.join(', ')}`] : []),
  ];
  const { taken } = marks;
  return {
    text: sign + (words.join(' ') || 'always'),
    transitions: transitions.map(({ id, description }) => ({ id, description })),
    taken: taken ? transitions.reduce((sum, { id }) => sum + (taken[id] ?? 0), 0) : null,
  };
}

const stateId = (path: string): string => `state ${path}`;
const startId = (path: string): string => `start ${path}`;
const anywhereId = (path: string): string => `anywhere ${path}`;
const levelOf = (path: string): number => (path === '' ? 0 : path.split('.').length);
const parentOf = (path: string): string => path.split('.').slice(0, -1).join('.');
const isWithin = (path: string, outer: string): boolean => path !== outer && (outer === '' || path.startsWith(`${outer}.`));
