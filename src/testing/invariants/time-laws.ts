import { ENDING_LIMIT_MS, type Life } from '../../../machines/life.ts';
import { placeOf } from '../../kernel/position.ts';
import { lifeOf, type RunState } from '../../kernel/fold.ts';
import type { Happening } from '../random-walk.ts';
import { type Invariant, InvariantBroken, same } from './invariant.ts';

/** Idle time shifts the start of the clock, and every due time with it. */
export const timeIsThatOfWork: Invariant = {
  name: 'wall time leaves out idle time, and timers are due by wall time',
  looks: 'always',
  check({ happenings }) {
    for (const happening of happenings) {
      const {
        event: { version },
        after,
      } = happening;
      const { clockStart, limits, due } = lifeOf(after);
      same(version, 'the zero of the clock', clockStart, later(lifeOf(happening.before).clockStart, idleIn(happening)));
      same(
        version,
        'when the deadline is due',
        due.deadline,
        limits.maxTimeMs === null ? null : later(clockStart, limits.maxTimeMs),
      );
      for (const [timer, place] of [
        ['grace', 'decide.aborting'],
        ['ending', 'decide.ending'],
      ] as const) {
        if (!isIn(after, place)) continue;
        same(version, `when the ${timer} is due`, due[timer], dueIn(happening, timer, place));
      }
    }
  },
};

function idleIn({ event, before, after }: Happening): number {
  const [was, is] = [lifeOf(before).waitingSince, lifeOf(after).waitingSince];
  if (is !== null && is !== was && is !== event.at)
    throw new InvariantBroken(event.version, 'since when it waits', is, event.at);
  if (was !== null) return is === was ? 0 : Date.parse(event.at) - Date.parse(was);
  return event.type === 'run.resumed' || event.type === 'run.continued' ? event.payload.idleMs : 0;
}

/** The due time counts from the entry of the state, without the idle time since then. */
function dueIn(happening: Happening, timer: 'grace' | 'ending', place: string): string | null {
  const { event, before } = happening;
  const { due, graceMs }: Life = lifeOf(before);
  if (!isIn(before, place)) return later(event.at, timer === 'grace' ? graceMs : ENDING_LIMIT_MS);
  const was = due[timer];
  return was === null ? null : later(was, idleIn(happening));
}

const isIn = ({ snapshot }: RunState, place: string): boolean => `${placeOf(snapshot)}.`.startsWith(`${place}.`);
const later = (time: string, ms: number): string => new Date(Date.parse(time) + ms).toISOString();
