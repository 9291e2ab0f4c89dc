import type { Life } from '../../../machines/life.ts';
import type { RunState } from '../../runtime/fold.ts';
import { InvariantBroken, type Invariant, same } from './invariant.ts';

/**
 * Totals grow for as long as the run lives, continuations included. What counts within a round starts again at nothing,
 * but falls to nothing else, and does so.
 */
export const countersGrow: Invariant = {
  name: 'counters only grow',
  looks: 'always',
  check({ first, happenings }, { rounds }) {
    const ofRound = new Set([...OF_ROUND, ...(rounds.counters ?? [])]);
    let then = countersOf(first);
    for (const { event, after } of happenings) {
      const now = countersOf(after);
      for (const [name, before] of then) {
        const count = now.get(name);
        if (count === undefined || count >= before || (ofRound.has(name) && count === 0)) continue;
        throw new InvariantBroken(event.version, name, count, `${before} or more`);
      }
      if (event.type === rounds.started) {
        for (const name of ofRound) same(event.version, `${name} as a round begins`, now.get(name) ?? 0, 0);
      }
      then = now;
    }
  },
};

/** What starts again with each round, of any loop. Every other number stands for something that has happened. */
const OF_ROUND = ['warnings'];

/** Versions in the context, as of an answer, may be forgotten and never go back. */
function countersOf({ version, snapshot }: RunState): ReadonlyMap<string, number> {
  const { spend, clockStart, ...rest }: Life = snapshot.context;
  const own = Object.entries(rest).filter((field): field is [string, number] => typeof field[1] === 'number');
  const { costNanoUsd = 0, estimatedTokens = 0, ...known } = spend;
  const spent = Object.entries({ ...known, costNanoUsd, estimatedTokens }).map(([name, amount]) => [`spend.${name}`, amount] as const);
  return new Map([...own, ...spent, ['version', version], ['clockStart', Date.parse(clockStart)]]);
}
