/** A chart laid flat: what there is to see in it, in the order in which it stands there. */
export interface Chart {
  readonly id: unknown;
  readonly version: unknown;
  readonly places: readonly Place[];
  /** Names of what is provided, by kind. */
  readonly provided: Provided;
}

export type Provided = Readonly<Record<(typeof KINDS)[number], readonly string[]>>;
export const KINDS = ['actors', 'guards', 'actions', 'delays'] as const;

export interface Place {
  readonly path: string;
  readonly type: string;
  readonly initial: unknown;
  readonly description: unknown;
  readonly entry: readonly Named[];
  readonly exit: readonly Named[];
  readonly invokes: readonly { readonly id: unknown; readonly src: unknown; readonly input: unknown }[];
  readonly delays: readonly string[];
  readonly ways: readonly Way[];
}

export interface Way {
  readonly event: string;
  /** Its place among the candidates of its event. */
  readonly index: number;
  readonly guard: Named | null;
  /** Paths. */
  readonly target: readonly string[];
  readonly actions: readonly Named[];
  readonly reenter: boolean;
  readonly description: unknown;
}

export interface Named {
  readonly type: string;
  readonly params: unknown;
}

/** An action or a guard: a name, a name with what it is given, or neither. */
export function named(written: unknown): Named {
  if (typeof written === 'string') return { type: written, params: {} };
  const { type, params } = asWritten(written);
  return { type: typeof type === 'string' ? type : `${typeof written} without a name`, params: params ?? {} };
}

export type Written = Readonly<Record<string, unknown>>;
export const asWritten = (value: unknown): Written =>
  typeof value === 'object' && value !== null ? (value as Written) : {};

function listOf(value: unknown): readonly unknown[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
}

/** The chart in a configuration as XState takes it. */
export function chartIn(config: Written, provided: Provided): Chart {
  const { id, version } = config;
  return { id, version, places: placesIn(config, [], String(id)), provided };
}

function placesIn(state: Written, path: readonly string[], root: string): Place[] {
  const inner = Object.entries(asWritten(state['states']));
  const place: Place = {
    path: path.join('.'),
    type: String(state['type'] ?? (inner.length > 0 ? 'compound' : 'atomic')),
    initial: state['initial'] ?? null,
    description: state['description'],
    entry: listOf(state['entry']).map(named),
    exit: listOf(state['exit']).map(named),
    invokes: listOf(state['invoke'])
      .map(asWritten)
      .map(({ id, src, input }) => ({ id, src, input })),
    delays: Object.keys(asWritten(state['after'])),
    ways: [
      ...Object.entries(asWritten(state['on'])).flatMap(([event, written]) => waysIn(event, written, path, root)),
      ...waysIn('always', state['always'], path, root),
    ],
  };
  return [place, ...inner.flatMap(([key, within]) => placesIn(asWritten(within), [...path, key], root))];
}

const waysIn = (event: string, written: unknown, path: readonly string[], root: string): Way[] =>
  listOf(written).map((candidate, index) => {
    const { guard, target, actions, reenter, description } = asWritten(
      typeof candidate === 'string' ? { target: candidate } : candidate,
    );
    return {
      event,
      index,
      guard: guard === undefined ? null : named(guard),
      target: listOf(target).map((to) => resolved(String(to), path, root)),
      actions: listOf(actions).map(named),
      reenter: reenter === true,
      description,
    };
  });

/** Charts name targets from the root (`#turn.decide`), from within (`.ended`), or beside them (`judging`). */
function resolved(target: string, path: readonly string[], root: string): string {
  if (target === `#${root}`) return '';
  if (target.startsWith(`#${root}.`)) return target.slice(root.length + 2);
  const base = target.startsWith('.') ? path : path.slice(0, -1);
  return [...base, target.replace(/^[.]/, '')].join('.');
}
