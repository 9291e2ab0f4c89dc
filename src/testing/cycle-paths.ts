import type { LoopEvent } from '../../machines/events.ts';
import { pathOf, type Transition } from '../charts/transitions.ts';
import { placeOf } from '../kernel/position.ts';
import type { Path } from './graph.ts';
import { after, idsMet, idsTaken, type SearchState, offered, signatureOf, takes } from './search-state.ts';
import type { ProofEnvironment } from './proof-environment.ts';

/** How often a cycle is repeated before the search gives up on a guard that counts. */
const MAX_REPETITIONS = 200;

/**
 * A path to a transition whose guard depends on a counter. The graph search ignores counters, so it never repeats a
 * cycle; this one repeats cycles of one or two events until the transition is taken. Null where it never is.
 */
export function pathByRepeating(
  environment: ProofEnvironment,
  paths: readonly Path[],
  { id, event, from }: Transition,
): Path | null {
  const place = pathOf(from);
  const source = paths.find(
    ({ end }) => `${placeOf(end.state.snapshot)}.`.startsWith(`${place}.`) && isAtRest(environment, end),
  );
  if (!source) return null;
  for (const cycle of cyclesFrom(environment, source.end)) {
    const path = repeated(
      environment,
      source,
      cycle,
      (node, last) =>
        last.type === event &&
        idsMet(node, last).includes(id) &&
        takes(node, last) &&
        idsTaken(node, last).includes(id),
    );
    if (path) return path;
  }
  return null;
}

const isAtRest = ({ follows }: ProofEnvironment, { last, state }: SearchState): boolean =>
  follows(last, state) === null;

/** The cycles of one or two events that lead from a state back to one with the same signature. */
function cyclesFrom(environment: ProofEnvironment, start: SearchState): readonly (readonly LoopEvent[])[] {
  const signature = signatureOf(environment, start);
  const acceptedIn = (node: SearchState) => offered(environment, node).filter((event) => takes(node, event));
  const isBack = (node: SearchState): boolean => signatureOf(environment, node) === signature;
  const first = acceptedIn(start).map((event) => ({ event, node: after(start, event) }));
  const short = first.filter(({ node }) => isBack(node)).map(({ event }) => [event]);
  const long = first
    .filter(({ node }) => !isBack(node))
    .flatMap(({ event, node }) =>
      acceptedIn(node)
        .filter((second) => isBack(after(node, second)))
        .map((second) => [event, second]),
    );
  return [...short, ...long];
}

type Arrived = (node: SearchState, event: LoopEvent) => boolean;

function repeated(
  environment: ProofEnvironment,
  { events, end }: Path,
  cycle: readonly LoopEvent[],
  arrives: Arrived,
): Path | null {
  const path = [...events];
  let node = end;
  for (let repetition = 0; repetition < MAX_REPETITIONS; repetition++) {
    const here = node;
    const last = offered(environment, here).find((event) => arrives(here, event));
    if (last) return { events: [...path, last], end: after(here, last) };
    for (const event of cycle) {
      if (!takes(node, event)) return null;
      node = after(node, event);
      path.push(event);
    }
  }
  return null;
}
