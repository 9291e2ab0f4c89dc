import type { ChartState, ChartTransition } from '../chart.ts';
import type { ChartMarks } from '../overlay.ts';

/** `arrows` alone; also the `events` a state takes and stays; or all that, and which `actions` follow. */
export type Detail = 'arrows' | 'events' | 'actions';

/** One line of text: a transition, or several that read the same, or what a state does. */
export interface Line {
  readonly text: string;
  readonly transitions: readonly Pick<ChartTransition, 'id' | 'description'>[];
  /** How often its transitions were taken. Null if no run is shown. */
  readonly taken: number | null;
}

/** Writes transitions as people read them: `event [guard] / actions`. Those that read the same are one line. */
export type Wording = (transitions: readonly ChartTransition[]) => Line[];

export function wordingOf(detail: Detail, { taken }: ChartMarks): Wording {
  return (transitions) =>
    [...Map.groupBy(transitions, (transition) => wordsOf(transition, detail))].map(([text, same]) => ({
      text,
      transitions: same.map(({ id, description }) => ({ id, description })),
      taken: taken ? same.reduce((sum, { id }) => sum + (taken[id] ?? 0), 0) : null,
    }));
}

function wordsOf({ event, guard, index, actions }: ChartTransition, detail: Detail): string {
  const condition = guard ?? (index > 0 ? 'else' : null);
  const words = [
    ...(event === null ? [] : [event]),
    ...(condition === null ? [] : [`[${condition}]`]),
    ...(detail === 'actions' && actions.length > 0 ? [`/ ${actions.join(', ')}`] : []),
  ];
  return words.join(' ') || 'always';
}

/** What a state does by itself: on the way in, while it lasts, on the way out. */
export function deedsOf({ entry, exit, invokes }: ChartState, detail: Detail): Line[] {
  const deed = (text: string): Line => ({ text, transitions: [], taken: null });
  const actions = (when: string, names: readonly string[]): Line[] =>
    detail === 'actions' && names.length > 0 ? [deed(`${when} / ${names.join(', ')}`)] : [];
  const invoked = detail === 'arrows' ? [] : invokes.map(({ src }) => deed(`do / ${src}`));
  return [...actions('entry', entry), ...invoked, ...actions('exit', exit)];
}
