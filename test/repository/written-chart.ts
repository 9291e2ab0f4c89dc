/** A chart as it stands in the source: names, literals, and one function that makes the context. */
type Written = Readonly<Record<string, unknown>>;

/** One of the ways that an event, or none, may take from a state. */
export interface Choice {
  readonly place: string;
  /** How many ways there are. */
  readonly of: number;
  readonly guard: unknown;
  readonly target: unknown;
  readonly actions: readonly unknown[];
  readonly reenter: boolean;
  readonly description: unknown;
}

export const leads = ({ target, actions }: Choice): boolean => target !== undefined || actions.length > 0;
export const isNotObvious = (choice: Choice): boolean => choice.of > 1 || choice.reenter || !leads(choice);

export function choicesOf(chart: unknown): Choice[] {
  return statesIn(chart, '').flatMap(({ path, state }) => [
    ...Object.entries(asWritten(state['on'])).flatMap(([event, written]) => among(written, `${path} ${event}`)),
    ...(state['always'] === undefined ? [] : among(state['always'], `${path} always`)),
  ]);
}

export const invokesOf = (chart: unknown): Written[] =>
  statesIn(chart, '').flatMap(({ state }) => listOf(state['invoke']).map(asWritten));

/** Every action, guard and actor that a chart names. */
export function namesIn(chart: unknown) {
  const choices = choicesOf(chart);
  const onTheWay = statesIn(chart, '').flatMap(({ state }) => [...listOf(state['entry']), ...listOf(state['exit'])]);
  return {
    actions: new Set([...onTheWay, ...choices.flatMap(({ actions }) => actions)].flatMap(nameOf)),
    guards: new Set(choices.flatMap(({ guard }) => nameOf(guard))),
    actors: new Set(invokesOf(chart).flatMap(({ src }) => nameOf(src))),
  };
}

/** Where functions stand in it. */
export const functionsIn = (chart: unknown): string[] =>
  places(chart, '').filter(([, value]) => typeof value === 'function').map(([path]) => path);

/** The path of every member in it. */
export const membersIn = (chart: unknown): string[] => places(chart, '').map(([path]) => path);

function statesIn(chart: unknown, path: string): { readonly path: string; readonly state: Written }[] {
  const state = asWritten(chart);
  const inner = Object.entries(asWritten(state['states']));
  const below = inner.flatMap(([name, within]) => statesIn(within, path ? `${path}.${name}` : name));
  return [{ path: path || '.', state }, ...below];
}

function among(written: unknown, place: string): Choice[] {
  const candidates = listOf(written);
  return candidates.map((candidate, index) => {
    const written = asWritten(typeof candidate === 'string' ? { target: candidate } : candidate);
    const { guard, target, description } = written;
    const [actions, reenter] = [listOf(written['actions']), written['reenter'] === true];
    return { place: `${place}[${index}]`, of: candidates.length, guard, target, actions, reenter, description };
  });
}

function places(value: unknown, path: string): [string, unknown][] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = path ? `${path}.${name}` : name;
    return [[here, inner], ...places(inner, here)];
  });
}

function nameOf(named: unknown): string[] {
  if (typeof named === 'string') return [named];
  const { type } = asWritten(named);
  return typeof type === 'string' ? [type] : [];
}

const asWritten = (value: unknown): Written => (typeof value === 'object' && value !== null ? (value as Written) : {});
const listOf = (value: unknown): readonly unknown[] => {
  if (value === undefined) return [];
  return Array.isArray(value) ? value : [value];
};
