import type { CatalogueEntry } from '../../../machines/index.ts';
import { enteredBy, pathOf, placesOf, type Transition, transitionsOf } from '../../charts/transitions.ts';
import { MachineThrew } from '../search-state.ts';
import { type ShortestPaths, shortestPaths } from '../paths.ts';
import type { ProofEnvironment } from '../proof-environment.ts';
import { type Proof, ProofError } from './proof.ts';
import { type CheckedEnvironment, ProofEnvironmentError } from './environment-of-proof.ts';
import type { AnyEvent, LoopEvent, Recorded } from '../../../machines/events.ts';
import { consequenceOf, type Dated } from '../given-facts.ts';

/** A run as code that passes when it is pasted into a test: `given(loop, …).when(…).then(…)`. */
export function recordedExample(loop: CatalogueEntry, opening: Opening, events: readonly Dated<AnyEvent>[]): string {
  const history = [`environment.openings[${JSON.stringify(opening.name)}]`, ...events.slice(0, -1).map(asCode)];
  const last = events.at(-1);
  const given = `given(loop,\n${history.map((line) => `  ${line},\n`).join('')})`;
  const consequence = consequenceOf(loop, [opening.event, ...events]);
  return last
    ? `${given}.when(${asCode(last)})\n  .then(${asCode(consequence)});`
    : `${given}.is(${asCode({ state: consequence.state })});`;
}

interface Opening {
  readonly name: string;
  readonly event: LoopEvent;
}

/** Recorded events as such code has them: each with the time since the previous one, where that is not a second. */
export const asDated = (events: readonly Recorded<LoopEvent>[], beganAt: string): Dated<AnyEvent>[] =>
  events.map(({ type, payload, at }, index) => {
    const afterMs = Date.parse(at) - Date.parse(events[index - 1]?.at ?? beganAt);
    return afterMs === A_SECOND_MS ? { type, payload } : { type, payload, afterMs };
  });

const A_SECOND_MS = 1000;

/** JSON, without quotes around the names that need none. */
const asCode = (value: unknown): string =>
  JSON.stringify(value)
    .replaceAll(/"(?:[^"\\]|\\.)*"(:?)/g, (text, colon: string) =>
      colon && NAME.test(text) ? `${text.slice(1, -2)}: ` : text,
    )
    .replaceAll(/,(?=[a-zA-Z_{])/g, ', ');

const NAME = /^"[a-zA-Z_]\w*":$/;

/** One proof for each state, ending, actor and transition: a path reaches it. */
export function pathProofs(loop: CatalogueEntry, environmentOf: () => CheckedEnvironment): Proof[] {
  let search: PathSearch | null = null;
  const proof = (
    name: string,
    isThere: (paths: ShortestPaths) => boolean,
    remedy: (paths: ShortestPaths) => string,
  ): Proof => ({
    name,
    prove() {
      const { environment, unanswered } = environmentOf();
      search ??= searched(loop, environment);
      if ('because' in search) throw new ProofError(name, stopped(search.because), null, search.because);
      if (isThere(search.paths)) return;
      // An effect without answers is the likely cause.
      const [silent] = unanswered.values();
      throw silent ?? new ProofError(name, remedy(search.paths));
    },
  });
  return [
    ...placesOf(loop.machine).map((place) =>
      proof(
        `a path leads to ${place}`,
        ({ places }) => places.has(place),
        () => `no path is found in this environment.${into(loop, place)}`,
      ),
    ),
    ...Object.keys(loop.machine.implementations.actors).map((actor) =>
      proof(
        `a path starts ${actor}`,
        ({ actors }) => actors.has(actor),
        () => 'no path does in this environment: invoke it, or take it out of `setup`.',
      ),
    ),
    ...transitionsOf(loop.machine).map((transition) =>
      proof(
        `a path takes ${transition.id}`,
        ({ transitions }) => transitions.has(transition.id),
        (paths) => `no path is found in this environment.\n${pathToTake(transition, loop, environmentOf(), paths)}`,
      ),
    ),
  ];
}

/** One search finds all paths. It is not repeated where it failed. */
type PathSearch = { readonly paths: ShortestPaths } | { readonly because: unknown };

function searched(loop: CatalogueEntry, environment: ProofEnvironment): PathSearch {
  try {
    return { paths: shortestPaths(loop, environment) };
  } catch (because) {
    if (because instanceof ProofEnvironmentError) throw because;
    return { because };
  }
}

function stopped(because: unknown): string {
  const what = because instanceof Error ? because.message : String(because);
  const remedy = because instanceof MachineThrew ? ' Make it accept every event that the environment offers.' : '';
  return `the search for paths failed. ${what}${what.endsWith('.') ? '' : '.'}${remedy}`;
}

function into({ machine }: CatalogueEntry, place: string): string {
  const arrows = transitionsOf(machine).filter(({ to }) => to.flatMap(enteredBy).map(pathOf).includes(place));
  return arrows.length === 0
    ? ' No transition leads there.'
    : ` It is entered by ${arrows.map(({ id }) => id).join(', ')}.`;
}

/** How to reach it: the path to its source state, and the event that is missing there. */
function pathToTake(
  { from, event, guard }: Transition,
  loop: CatalogueEntry,
  { environment, seenTypes }: CheckedEnvironment,
  { places }: ShortestPaths,
): string {
  const place = pathOf(from);
  const [, path] = [...places].find(([name]) => place === '' || `${name}.`.startsWith(`${place}.`)) ?? [];
  const opening = path && environment.openings[path.opening];
  if (!path || !opening) return `No path leads to ${place} either: start there.`;
  const example = recordedExample(loop, { name: path.opening, event: opening }, path.events);
  const needs = guard ? ` so that ${guard} holds` : '';
  if (event === null)
    return `This leads to ${place}:\n${example}\nLet the environment answer${needs || ' otherwise'} before.`;
  const offers = seenTypes.has(event)
    ? `The environment offers ${event}, but never${needs || ' there'}`
    : `The environment never offers ${event}: add it to the answers of an effect, to \`remarks\` or to \`follows\``;
  return `This leads to ${place || 'a state that takes it'}:\n${example}\n${offers}. Offer it there${needs}.`;
}
