/** A chart as written in the source: names, literals, and one function that makes the context. */
type Written = Readonly<Record<string, unknown>>;

/** One candidate transition of a state, for an event or for none. */
export interface Choice {
  /** Its place in the chart: `states.verify.on.review.given[0]`. */
  readonly place: string;
  /** Null: it is taken as soon as its guard holds. */
  readonly event: string | null;
  /** The number of candidates. */
  readonly of: number;
  readonly guard: unknown;
  readonly target: unknown;
  readonly actions: readonly unknown[];
  readonly reenter: boolean;
  readonly description: unknown;
}

/** A name in a chart, and its place. */
export interface Named {
  readonly kind: 'actions' | 'guards' | 'actors';
  readonly name: string;
  readonly place: string;
}

export const leads = ({ target, actions }: Choice): boolean => target !== undefined || actions.length > 0;
export const isNotObvious = (choice: Choice): boolean => choice.of > 1 || choice.reenter || !leads(choice);

export const choicesOf = (chart: unknown): Choice[] =>
  statesIn(chart, '').flatMap(({ place, state }) => [
    ...Object.entries(asWritten(state['on'])).flatMap(([event, written]) =>
      among(event, written, within(place, `on.${event}`)),
    ),
    ...among(null, state['always'], within(place, 'always')),
  ]);

/** Every invocation of a state, with its place and its state. */
export const invokesOf = (
  chart: unknown,
): { readonly place: string; readonly by: string; readonly invoke: Written }[] =>
  statesIn(chart, '').flatMap(({ place, state }) =>
    listOf(state['invoke'], within(place, 'invoke')).map(([where, invoke]) => ({
      place: where,
      by: place,
      invoke: asWritten(invoke),
    })),
  );

/** Every action, guard and actor that a chart names, in forbidden places too. */
export function namesIn(chart: unknown): Named[] {
  const choices = [...choicesOf(chart), ...forbiddenChoicesOf(chart)];
  const onTheWay = statesIn(chart, '').flatMap(({ place, state }) =>
    ['entry', 'exit'].flatMap((way) => listOf(state[way], within(place, way))),
  );
  const taken = choices.flatMap(({ place, actions }) => actions.map((action): Placed => [`${place}.actions`, action]));
  return [
    ...[...onTheWay, ...taken].flatMap(named('actions')),
    ...choices.map(({ place, guard }): Placed => [`${place}.guard`, guard]).flatMap(named('guards')),
    ...invokesOf(chart)
      .map(({ place, invoke }): Placed => [`${place}.src`, invoke['src']])
      .flatMap(named('actors')),
  ];
}

/** Choices outside `on` and `always`. Other rules report them; their names still count as used. */
function forbiddenChoicesOf(chart: unknown): Choice[] {
  const ofStates = statesIn(chart, '').flatMap(({ place, state }) => [
    ...Object.entries(asWritten(state['after'])).flatMap(([delay, written]) =>
      among(null, written, within(place, `after.${delay}`)),
    ),
    ...['initial', 'onDone'].flatMap((name) => among(null, state[name], within(place, name))),
  ]);
  const ofInvokes = invokesOf(chart).flatMap(({ place, invoke }) =>
    RESULTS.flatMap((name) => among(null, invoke[name], `${place}.${name}`)),
  );
  return [...ofStates, ...ofInvokes];
}

/** The members by which XState passes the result of an actor to a chart without an event of the vocabulary. */
export const RESULTS = ['onDone', 'onError', 'onSnapshot'] as const;

/** The places of functions and of actors without a name. */
export const functionsIn = (chart: unknown): string[] => {
  const inline = invokesOf(chart)
    .filter(({ invoke: { src } }) => typeof src === 'object')
    .map(({ place }) => `${place}.src`);
  const functions = members(chart, '')
    .filter(([, value]) => typeof value === 'function')
    .map(([place]) => place);
  return [...inline, ...functions.filter((place) => !inline.some((actor) => place.startsWith(`${actor}.`)))];
};

/** The places of members with one of these names. A state or an event of that name does not count. */
export const membersNamed = (chart: unknown, ...names: readonly string[]): string[] => [
  ...statesIn(chart, '').flatMap(({ place, state }) =>
    names.filter((name) => name in state).map((name) => within(place, name)),
  ),
  ...[...invokesOf(chart).map(({ place, invoke }): Placed => [place, invoke]), ...actionsIn(chart)].flatMap(
    ([place, value]) => names.filter((name) => name in asWritten(value)).map((name) => `${place}.${name}`),
  ),
];

/** The place of a state by its path: `states.verify.states.checking`. */
export const placeOfState = (path: readonly string[]): string => path.map((name) => `states.${name}`).join('.');

/** A place below another. The place of the chart itself is empty. */
export const within = (place: string, member: string): string => (place ? `${place}.${member}` : member);

type Placed = readonly [place: string, value: unknown];

const actionsIn = (chart: unknown): Placed[] =>
  choicesOf(chart).flatMap(({ place, actions }) => actions.map((action): Placed => [`${place}.actions`, action]));

function statesIn(chart: unknown, place: string): { readonly place: string; readonly state: Written }[] {
  const state = asWritten(chart);
  const inner = Object.entries(asWritten(state['states']));
  const below = inner.flatMap(([name, one]) => statesIn(one, within(place, `states.${name}`)));
  return [{ place, state }, ...below];
}

function among(event: string | null, written: unknown, place: string): Choice[] {
  const candidates = listOf(written, place);
  return candidates.map(([where, candidate]) => {
    const choice = asWritten(typeof candidate === 'string' ? { target: candidate } : candidate);
    const { guard, target, description } = choice;
    const actions = listOf(choice['actions'], '').map(([, action]) => action);
    return {
      place: where,
      event,
      of: candidates.length,
      guard,
      target,
      actions,
      reenter: choice['reenter'] === true,
      description,
    };
  });
}

function members(value: unknown, place: string): Placed[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const here = Array.isArray(value) ? `${place}[${name}]` : within(place, name);
    return [[here, inner] as const, ...members(inner, here)];
  });
}

const named =
  (kind: Named['kind']) =>
  ([place, value]: Placed): Named[] => {
    const { type = value } = asWritten(value);
    return typeof type === 'string' ? [{ kind, name: type, place }] : guardsWithin(value, place);
  };

/** The names in a guard made by `and`, `or` or `not`: XState keeps them in a member of the function. */
export function guardsWithin(guard: unknown, place: string): Named[] {
  const parts: unknown = typeof guard === 'function' ? Reflect.get(guard, 'guards') : undefined;
  return Array.isArray(parts) ? parts.map((part): Placed => [place, part]).flatMap(named('guards')) : [];
}

const asWritten = (value: unknown): Written => (typeof value === 'object' && value !== null ? (value as Written) : {});

function listOf(value: unknown, place: string): Placed[] {
  if (value === undefined) return [];
  return Array.isArray(value) ? value.map((one, index) => [`${place}[${index}]`, one]) : [[place, value]];
}
