import type { LoopDefinition } from '../../src/kernel/loop-definition.ts';
import { Ending } from '../../machines/outcome.ts';
import { hasEnded, lifeOf } from '../../src/kernel/fold.ts';
import { placeOf } from '../../src/kernel/position.ts';
import { coverage } from '../../src/testing/coverage.ts';
import { smallestViolation, type Violation } from '../../src/testing/search.ts';
import type { RandomWalk } from '../../src/testing/random-walk.ts';
import type { ProofEnvironment } from '../../src/testing/proof-environment.ts';
import { again, seed } from '../support/seed.ts';

/** What many runs have come to. */
export interface Generated {
  readonly violation: Violation | null;
  /** Accepted events, counted one by one. */
  readonly events: number;
  readonly refusals: number;
  /** Of the runs that have ended, how many did in each way. */
  readonly endings: ReadonlyMap<Ending, number>;
  readonly untaken: readonly string[];
}

/** Enough of one kind to have met each of its guards in every way. */
const ALIKE = 60;

/** So many events of a loop, with every invariant looked at in each of its runs. */
export function generated(loop: LoopDefinition, environment: ProofEnvironment, atLeast: number): Generated {
  const endings = new Map(Ending.options.map((ending) => [ending, 0]));
  const telling: RandomWalk[] = [];
  const different = novelty();
  let events = 0;
  let refusals = 0;
  const watch = (run: RandomWalk): void => {
    events += run.happenings.length;
    refusals += run.refused.length;
    const news = {
      ...run,
      happenings: run.happenings.filter(different.happening),
      refused: run.refused.filter(different.refusal),
    };
    if (news.happenings.length + news.refused.length > 0) telling.push(news);
    if (!hasEnded(run.last)) return;
    const ending = Ending.parse(placeOf(run.last.snapshot));
    endings.set(ending, (endings.get(ending) ?? 0) + 1);
  };
  const violation = smallestViolation(loop, environment, { seed, events: atLeast, watch });
  return { violation, events, refusals, endings, untaken: coverage(loop, telling).untaken };
}

/**
 * What has not been seen often yet: to ask of every event which transition it takes would take as long as all the rest.
 */
function novelty() {
  const seen = new Map<string, number>();
  const isNew = (kind: string): boolean => {
    const times = (seen.get(kind) ?? 0) + 1;
    seen.set(kind, times);
    return times <= ALIKE;
  };
  return {
    happening: ({ event, before, after }: RandomWalk['happenings'][number]): boolean =>
      isNew(
        `${placeOf(before.snapshot)} ${event.type} ${placeOf(after.snapshot)} ${lifeOf(before).waitingSince === null}`,
      ),
    refusal: ({ event, at }: RandomWalk['refused'][number]): boolean =>
      isNew(`${placeOf(at.snapshot)} ${event.type} refused`),
  };
}

/** As a person reads it: what does not hold, the seed, and the smallest run that shows it. */
export function told({ violation }: Pick<Generated, 'violation'>): string {
  if (!violation) return 'nothing is violated';
  const { invariant, error, run, drawn: chance } = violation;
  const events =
    run?.happenings.map(({ event }) => `  ${event.version} ${event.type} ${JSON.stringify(event.payload)}`) ?? [];
  return [
    `${invariant}: ${String(error)}`,
    `${again}, opened ${chance.opening}`,
    ...events,
    JSON.stringify(chance.choices),
  ].join('\n');
}

/** The part of the ended runs that each ending has. */
export function sharesOf({ endings }: Generated): Readonly<Record<string, number>> {
  const all = [...endings.values()].reduce((sum, count) => sum + count, 0);
  return Object.fromEntries([...endings].map(([ending, count]) => [ending, count / all]));
}
