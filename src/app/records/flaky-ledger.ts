import type { FlickeringTests } from '../../../machines/recorded-proof.ts';
import { namedFlickering } from '../../evidence/test-turns.ts';
import { keyOf } from '../../evidence/test-list.ts';
import type { RunRecord } from '../../log/event-store.ts';
import { readEvents } from '../../log/reading.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import { givenFolder } from '../../actors/capture-repository.ts';
import type { ConversationSource } from './earlier-conversations.ts';
import type { FlakyLedger } from '../../ports/effect-records.ts';

/** The most runs that are read. Findings of older ones are forgotten: a test may have been mended since. */
const MAX_RUNS = 50;
/** Where a run says what flickered before its work, and where it says what turned by itself with it. */
const FIRST_EVENTS = 20;
const LAST_EVENTS = 60;

/** For hosts without a log of their own. */
export const noLedger: FlakyLedger = async () => [];

/** Reads it from the beginnings and the ends of the newest runs of a log. */
export const flakyLedgerIn =
  ({ log, loops }: ConversationSource): FlakyLedger =>
  async (run, settings) => {
    const own = (await log.run(run))?.root ?? run;
    const { runs } = await log.newest(MAX_RUNS + 1);
    const found: FlickeringTests[] = [];
    for (const other of runs.filter(({ root }) => root !== own)) {
      const theirs = await readSettings(log, other.run);
      if (theirs?.proof && givenFolder(theirs) === givenFolder(settings)) found.push(...(await flakyIn(other)));
    }
    return namedFlickering(withoutTwins(found));

    async function flakyIn({ run: other, version }: RunRecord): Promise<readonly FlickeringTests[]> {
      const lists: FlickeringTests[] = [];
      const ends = Math.max(FIRST_EVENTS + 1, version - LAST_EVENTS);
      for (const range of [{ from: 1, to: FIRST_EVENTS }, { from: ends }]) {
        for await (const read of readEvents(log, other, loops, range)) {
          if (read.kind !== 'event') continue;
          const { type, payload } = read.event;
          if (type === 'baseline.taken') lists.push(...(payload.flickering ?? []));
          if (type === 'verification.completed') lists.push(...(payload.proof?.flaky ?? []));
        }
      }
      return lists;
    }
  };

/** Each test once. */
function withoutTwins(found: readonly FlickeringTests[]): readonly FlickeringTests[] {
  const seen = new Set<string>();
  return found.map(({ check, tests }) => ({
    check,
    tests: tests.filter((test) => {
      const key = JSON.stringify([check, keyOf(test)]);
      const isNew = !seen.has(key);
      seen.add(key);
      return isNew;
    }),
  }));
}
