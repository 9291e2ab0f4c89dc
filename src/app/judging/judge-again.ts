import type { Fact } from '../../kernel/effect-handlers.ts';
import type { BareEnvelope, EventStore } from '../../log/event-store.ts';
import { notFolded } from '../../runtime/load-run.ts';
import { summarise, type Summarised } from '../../projections/read-summary.ts';
import type { Redecided } from '../../redecide/conclusion.ts';
import type { Names, OtherJudge } from '../../redecide/other-judge.ts';
import { redecide } from '../../redecide/redecide-run.ts';
import { redecideVerified, type RedecidedTree } from '../../redecide/redecide-tree.ts';
import { IntactTree } from '../../runtime/intact.ts';
import { type NotJudged, notJudged } from './not-judged.ts';
import { OptionsError } from '../start/options-error.ts';
import { faultsIn, type Judges, otherJudge, type RedecideOptions } from './redecide-options.ts';
import type { JudgeServices } from '../../ports/services.ts';

export type JudgedAgain = { readonly kind: 'redecided'; readonly tree: RedecidedTree } | NotJudged;
export type JudgedAlone = { readonly kind: 'redecided'; readonly redecided: Redecided } | NotJudged;

interface ReadRun extends Summarised {
  readonly facts: readonly Fact[];
}

/** What was read of a run, for a caller that asks several judges about it: it is read for the first of them. */
export class KeptReading {
  #read: Promise<ReadRun> | null = null;

  of(read: () => Promise<ReadRun>): Promise<ReadRun> {
    this.#read ??= read();
    return this.#read;
  }
}

/** How a run is judged again. */
export interface Rejudging {
  readonly reading?: KeptReading;
  /** Remembers, for a caller that asks again, that the history was verified. */
  readonly intact?: IntactTree;
  /** A module that decides for the run is not loaded: the run cannot be judged without another strategy. */
  readonly runsNoCode?: boolean;
}

/**
 * Lets another judge decide over a recorded run, with the strategies and detectors that this process knows. Throws an
 * `OptionsError` where there is no such judge.
 */
export const judgeAgain = (
  log: EventStore,
  run: string,
  options: RedecideOptions,
  judges: Judges,
  { intact = new IntactTree(log, run), runsNoCode = false, reading = new KeptReading() }: Rejudging = {},
): Promise<JudgedAgain> =>
  asked(
    { log, run, pages: () => intact.pages(), reading, runsNoCode },
    options,
    judges,
    async (facts, other, names) => ({
      kind: 'redecided' as const,
      tree: await redecideVerified(log, { run, facts }, other, names),
    }),
  );

/** The same by its own judge as it is here, of one run whose history was verified, without those below it. */
export const judgeAlone = (log: EventStore, run: string, judges: Judges): Promise<JudgedAlone> =>
  asked(
    { log, run, pages: () => log.pages(run), reading: new KeptReading(), runsNoCode: false },
    {},
    judges,
    async (facts, other, names) => ({
      kind: 'redecided' as const,
      redecided: await redecide(facts, other, names),
    }),
  );

interface Recorded extends Required<Pick<Rejudging, 'reading' | 'runsNoCode'>> {
  readonly log: EventStore;
  readonly run: string;
  readonly pages: () => AsyncIterable<readonly BareEnvelope[]>;
}

async function asked<Answer>(
  { log, run, pages, reading, runsNoCode }: Recorded,
  options: RedecideOptions,
  { services, loops }: Judges,
  judge: (facts: readonly Fact[], other: OtherJudge, names: Names) => Promise<Answer>,
): Promise<Answer | NotJudged> {
  // A run is read once, for its settings and for its judgements.
  const { facts, summary, unreadable } = await reading.of(async () => {
    const read: Fact[] = [];
    const summarised = await summarise(log, run, loops, { pages: pages(), observe: (fact) => read.push(fact) });
    return { ...summarised, facts: read };
  });
  const [unread] = unreadable;
  if (!summary) return unread ? notFolded(unread, loops) : { kind: 'unknown_run', run };
  const other = otherJudge(options, summary.settings);
  if ('kind' in other) throw new OptionsError(other.faults);
  const faults = await faultsIn(other, summary, { services, loops }, runsNoCode);
  if (faults.length > 0) throw new OptionsError(faults);
  if (unread) return notFolded(unread, loops);
  try {
    return await judge(facts, other, { ...namesOf(services), loops });
  } catch (error) {
    return notJudged(error, loops);
  }
}

const namesOf = ({ strategies, detectorsOf, callKind }: JudgeServices): Omit<Names, 'loops'> => ({
  strategyOf: (of) => strategies.of(of),
  release: (strategy) => strategies.release(strategy),
  detectorsOf,
  callKind,
});
