import type { Life } from '../../../machines/life.ts';
import type { RunState } from '../../kernel/fold.ts';
import { InvariantBroken, type Invariant, same } from './invariant.ts';

/**
 * Totals never decrease, across continuations too. Counters of a round are reset to 0 when a round begins, and decrease
 * in no other way.
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

/** Counters that every loop resets with each round. Every other number is a total. */
const OF_ROUND = ['warnings'];

/** Versions in the context, such as that of an answer, may be cleared, but never decrease. */
function countersOf({ version, snapshot }: RunState): ReadonlyMap<string, number> {
  const { spend, clockStart, ...rest }: Life = snapshot.context;
  const own = Object.entries(rest).filter((field): field is [string, number] => typeof field[1] === 'number');
  const { costNanoUsd = 0, estimatedTokens = 0, ...known } = spend;
  const spent = Object.entries({ ...known, costNanoUsd, estimatedTokens }).map(
    ([name, amount]) => [`spend.${name}`, amount] as const,
  );
  return new Map([...own, ...spent, ['version', version], ['clockStart', Date.parse(clockStart)]]);
}
