import type { CatalogueEntry } from '../../machines/index.ts';
import {
  type Chart,
  type ChartState,
  type ChartTransition,
  chartOf,
  type Move,
  movesOf,
  type Nesting,
  nestingOf,
} from './chart.ts';
import type { ChartMarks } from './overlay.ts';
import { coloursOfEnding, plain } from './drawing/palette.ts';

export interface ChartOptions {
  /** How many levels of states are drawn. What lies deeper is drawn as the state it is part of. */
  readonly depth?: number;
  /** What a run has done: states and labels say how often, and the state it is in is drawn bold. */
  readonly marks?: ChartMarks;
}

interface Drawing {
  readonly chart: Chart;
  readonly nesting: Nesting;
  readonly moves: readonly Move[];
  readonly marks: ChartMarks;
}

/**
 * A machine as a Mermaid state diagram: every state, and every transition that leads to one, labelled `event [guard]`.
 * What a composite state does wherever it stands starts at `anywhere`; events that only change the context are left
 * out.
 *
 * @example
 * const overview = mermaid(turn, { depth: 1 });
 */
export function mermaid(
  machine: CatalogueEntry['machine'],
  { depth = Number.POSITIVE_INFINITY, marks = {} }: ChartOptions = {},
): string {
  const chart = chartOf(machine);
  const nesting = nestingOf(chart, depth);
  const drawing = { chart, nesting, moves: movesOf(chart, nesting), marks };
  const whole = chart.states.filter(({ parent }) => parent === null);
  return [
    'stateDiagram-v2',
    ...whole.flatMap((state) => inside(state, drawing)),
    ...edges(drawing),
    ...endings(drawing),
    ...highlight(drawing),
  ].join('\n');
}

/** Its sub-states, and where it starts. */
function inside({ path, initial }: ChartState, drawing: Drawing): string[] {
  const states = drawing.chart.states.filter(({ parent }) => parent === path).flatMap((state) => drawn(state, drawing));
  return [...(initial === null ? [] : [`  [*] --> ${idOf(initial)}`]), ...anywhere(path, drawing), ...states];
}

function drawn(state: ChartState, drawing: Drawing): string[] {
  const { path, key, kind } = state;
  const named = `  state "${key}${times(drawing.marks.visits?.[path])}" as ${idOf(path)}`;
  if (kind === 'final') return [named, `  ${idOf(path)} --> [*]`];
  if (!drawing.nesting.isOpen(path)) return [named];
  return [`${named} {`, ...inside(state, drawing).map((line) => `  ${line}`), '  }'];
}

/** A state that has a transition into itself, whatever it is doing, needs a place where that starts. */
function anywhere(path: string, { moves, nesting }: Drawing): string[] {
  const leadsInside = moves.some(({ from, to }) => from === path && nesting.isWithin(to, path));
  return leadsInside ? [`  state "anywhere" as ${anywhereIn(path)}`] : [];
}

/** Those between the same two states share an arrow. */
function edges({ moves, nesting, marks }: Drawing): string[] {
  const arrows = new Map<string, Map<string, number>>();
  for (const { transition, from, to } of moves) {
    const arrow = `${nesting.isWithin(to, from) ? anywhereIn(from) : idOf(from)} --> ${idOf(to)}`;
    const labels = arrows.get(arrow) ?? new Map<string, number>();
    const label = labelOf(transition);
    arrows.set(arrow, labels.set(label, (labels.get(label) ?? 0) + (marks.taken?.[transition.id] ?? 0)));
  }
  return [...arrows].map(
    ([arrow, labels]) => `  ${arrow} : ${[...labels].map(([label, taken]) => `${label}${times(taken)}`).join(' or ')}`,
  );
}

/** A class of colours for each kind of ending. */
function endings({ chart }: Drawing): string[] {
  const coloured = chart.states.flatMap(({ path, kind }) => {
    const colours = kind === 'final' ? coloursOfEnding(path) : null;
    return colours ? [{ id: idOf(path), colours }] : [];
  });
  return [...Map.groupBy(coloured, ({ colours: { ground } }) => ground)].flatMap(([ground, alike]) => {
    const look = alike
      .slice(0, 1)
      .map(({ colours: { edge } }) => `fill:${plain(ground)},stroke:${plain(edge)},color:${plain('text')}`);
    return [`  classDef ${ground}Ending ${look}`, `  class ${alike.map(({ id }) => id).join(',')} ${ground}Ending`];
  });
}

/** Mermaid gives a class to innermost states alone. */
function highlight({ chart, nesting, marks: { active = [] } }: Drawing): string[] {
  const bold = chart.states
    .map(({ path }) => path)
    .filter((path) => nesting.shown(path) === path && !nesting.isOpen(path) && active.includes(path));
  if (bold.length === 0) return [];
  return ['  classDef active font-weight:bold,stroke-width:4px', ...bold.map((path) => `  class ${idOf(path)} active`)];
}

function labelOf({ event, guard }: ChartTransition): string {
  const words = [...(event === null ? [] : [event]), ...(guard === null ? [] : [`[${guard}]`])];
  return words.join(' ') || 'otherwise';
}

const times = (count: number | undefined): string => (count ? ` ×${count}` : '');
const idOf = (path: string): string => path.replaceAll('.', '_');
const anywhereIn = (path: string): string => (path === '' ? 'anywhere' : `${idOf(path)}_anywhere`);
