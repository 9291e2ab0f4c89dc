import type { EventStore } from '../../log/event-store.ts';
import { firstUnreadable } from '../../log/reading.ts';
import { UnreadableError } from '../../log/unreadable.ts';
import { notFolded, type NotFolded } from '../../runtime/load-run.ts';
import { MigrationError } from '../../kernel/migration.ts';
import { summarise } from '../../projections/read-summary.ts';
import type { Redecided } from '../../redecide/conclusion.ts';
import type { Names, OtherJudge } from '../../redecide/other-judge.ts';
import { UnknownMachineError } from '../../redecide/unknown-machine-error.ts';
import { redecideAlone, redecideTree, type RedecidedTree } from '../../redecide/redecided-tree.ts';
import { OptionsError } from './options-error.ts';
import { faultsIn, type Judges, otherJudge, type RedecideOptions } from './redecide-options.ts';
import type { JudgeServices } from './services/judge-services.ts';
import { release } from './strategies.ts';

export type JudgedAgain = { readonly kind: 'redecided'; readonly tree: RedecidedTree } | NotJudged;
export type JudgedAlone = { readonly kind: 'redecided'; readonly redecided: Redecided } | NotJudged;
type NotJudged = { readonly kind: 'unknown_run'; readonly run: string } | NotFolded;

/**
 * Lets another judge decide over a recorded run, with the strategies and detectors that this process knows. Throws an
 * `OptionsError` where there is no such judge.
 */
export const judgeAgain = (
  log: EventStore,
  run: string,
  options: RedecideOptions,
  judges: Judges,
): Promise<JudgedAgain> =>
  asked(log, run, options, judges, async (other, names) => ({
    kind: 'redecided' as const,
    tree: await redecideTree(log, run, other, names),
  }));

/** The same by its own judge as it is here, of one run whose history was verified, without those below it. */
export const judgeAlone = (log: EventStore, run: string, judges: Judges): Promise<JudgedAlone> =>
  asked(log, run, {}, judges, async (other, names) => ({
    kind: 'redecided' as const,
    redecided: await redecideAlone(log, run, other, names),
  }));

async function asked<Answer>(
  log: EventStore,
  run: string,
  options: RedecideOptions,
  { services, loops }: Judges,
  judge: (other: OtherJudge, names: Names) => Promise<Answer>,
): Promise<Answer | NotJudged> {
  const { summary } = await summarise(log, run, loops);
  if (!summary) {
    const found = await firstUnreadable(log, run, loops);
    return found ? notFolded(found, loops) : { kind: 'unknown_run', run };
  }
  const other = otherJudge(options, summary.settings);
  if ('kind' in other) throw new OptionsError(other.faults);
  const faults = await faultsIn(other, summary, { services, loops });
  if (faults.length > 0) throw new OptionsError(faults);
  try {
    return await judge(other, { ...namesOf(services), loops });
  } catch (error) {
    if (error instanceof MigrationError) {
      return { kind: 'unknown_machine', machine: error.to, known: loops.map(({ id }) => id), because: error.message };
    }
    if (error instanceof UnreadableError) return notFolded(error.unreadable, loops);
    if (!(error instanceof UnknownMachineError)) throw error;
    return error.unknown;
  }
}

const namesOf = ({ strategies, detectorsOf, callKind }: JudgeServices): Omit<Names, 'loops'> => ({
  strategyOf: (of) => strategies.of(of),
  release,
  detectorsOf,
  callKind,
});
