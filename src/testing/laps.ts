import type { LoopEvent } from '../../machines/events.ts';
import { pathOf } from '../charts/nodes.ts';
import type { Transition } from '../charts/transitions.ts';
import { placeOf } from '../runtime/mark.ts';
import type { Path } from './graph.ts';
import { after, idsTaken, type Moment, offered, situationOf, takes } from './moment.ts';
import type { World } from './world.ts';

/** So often a way is gone round before a guard that counts is taken for one that never opens. */
const MAX_LAPS = 200;

/**
 * The way to a transition whose guard counts: a search that leaves counters out sees nothing new in a way that leads back to
 * where it was, so this one goes round it, by one event or two, until the transition is taken. Null where it never is.
 */
export function wayAround(world: World, paths: readonly Path[], { id, event, from }: Transition): Path | null {
  const place = pathOf(from);
  const source = paths.find(({ end }) => `${placeOf(end.state.snapshot)}.`.startsWith(`${place}.`) && isAtRest(world, end));
  if (!source) return null;
  for (const lap of lapsOf(world, source.end)) {
    const way = goneRound(world, source, lap, (moment, last) => last.type === event && idsTaken(moment, last).includes(id));
    if (way) return way;
  }
  return null;
}

const isAtRest = ({ follows }: World, { last, state }: Moment): boolean => follows(last, state) === null;

/** What leads from a moment back to the same situation. */
function lapsOf(world: World, start: Moment): readonly (readonly LoopEvent[])[] {
  const situation = situationOf(world, start);
  const ways = (moment: Moment) => offered(world, moment).filter((event) => takes(moment, event));
  const isBack = (moment: Moment): boolean => situationOf(world, moment) === situation;
  const first = ways(start).map((event) => ({ event, moment: after(start, event) }));
  const short = first.filter(({ moment }) => isBack(moment)).map(({ event }) => [event]);
  const long = first.filter(({ moment }) => !isBack(moment)).flatMap(({ event, moment }) =>
    ways(moment).filter((second) => isBack(after(moment, second))).map((second) => [event, second]),
  );
  return [...short, ...long];
}

type Arrived = (moment: Moment, event: LoopEvent) => boolean;

function goneRound(world: World, { events, end }: Path, lap: readonly LoopEvent[], arrives: Arrived): Path | null {
  const way = [...events];
  let moment = end;
  for (let lapsGone = 0; lapsGone < MAX_LAPS; lapsGone++) {
    const here = moment;
    const last = offered(world, here).find((event) => takes(here, event) && arrives(here, event));
    if (last) return { events: [...way, last], end: after(here, last) };
    for (const event of lap) {
      if (!takes(moment, event)) return null;
      moment = after(moment, event);
      way.push(event);
    }
  }
  return null;
}
