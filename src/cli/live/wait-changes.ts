import { isDeepStrictEqual } from 'node:util';
import { concatMap, endWith, filter, firstValueFrom, map, merge, type Observable, startWith } from 'rxjs';
import type { LiveRun } from '../../app/running/live-runs.ts';
import type { App } from '../../app/app.ts';
import type { Envelope } from '../../log/envelope.ts';
import type { Question } from '../../projections/questions.ts';

/** A run that is asked about, and everything that its tree records. */
export interface Asking {
  readonly loops: App;
  readonly live: LiveRun;
  readonly facts: Observable<Envelope>;
}

/** Waits until the run no longer waits, or asks something that it did not ask before. */
export async function somethingElse({ loops, live, facts }: Asking, before: readonly Question[]): Promise<void> {
  const asksAnother = async () =>
    ((await loops.questions(live.run)) ?? []).some((one) => !before.some((other) => isDeepStrictEqual(one, other)));
  const another = facts.pipe(
    startWith(null),
    concatMap(asksAnother),
    filter((isAnother) => isAnother),
  );
  const goesOn = live.waiting.pipe(
    filter((isWaiting) => !isWaiting),
    endWith(false),
  );
  // A log that cannot be read ends the run, which says why.
  await firstValueFrom(merge(goesOn, another), { defaultValue: false }).catch(() => false);
}

/** Waits until the run waits, or no longer does; false where it has left before. */
export const comesTo = ({ waiting }: LiveRun, isWaiting: boolean): Promise<boolean> =>
  firstValueFrom(
    waiting.pipe(
      filter((now) => now === isWaiting),
      map(() => true),
    ),
    { defaultValue: false },
  );
