import type { Limits } from '../../../machines/settings.ts';
import { ChangeOptions } from '../../config/change.ts';
import { type ConfigFault, faultsOf } from '../../config/fault.ts';
import { knownKeys } from '../../config/known-keys.ts';
import { completeChoice } from '../../detectors/complete-choice.ts';
import type { Log } from '../../log/log.ts';
import { firstUnreadable } from '../../log/reading.ts';
import { UnreadableError } from '../../log/unreadable.ts';
import { notFolded, type NotFolded } from '../../runtime/load.ts';
import type { LoopDefinition } from '../../runtime/loop-definition.ts';
import { MigrationError } from '../../runtime/migration.ts';
import { knownLoop } from '../../projections/loop-in-view.ts';
import { summarise } from '../../projections/read-summary.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import { isStrategy, type Names, type OtherJudge } from '../../redecide/other-judge.ts';
import { UnknownMachineError } from '../../redecide/redecide.ts';
import { redecideTree, type RedecidedTree } from '../../redecide/tree.ts';
import type { LoopStrategy } from '../../strategies/strategy.ts';
import { release } from './strategies.ts';
import type { Troupe } from './troupe.ts';

/** What is put in the judge's place: options as for a run, or a strategy itself. What is absent stays as the run had it. */
export interface RedecideOptions extends Omit<ChangeOptions, 'strategy'> {
  readonly strategy?: ChangeOptions['strategy'] | LoopStrategy;
}

export type JudgedAgain =
  | { readonly kind: 'redecided'; readonly tree: RedecidedTree }
  | { readonly kind: 'unknown_run'; readonly run: string }
  | NotFolded;

/** What this machine judges with. */
interface Judges {
  readonly troupe: Troupe;
  readonly loops: readonly LoopDefinition[];
}

type Refused = { readonly kind: 'refused'; readonly faults: readonly ConfigFault[] };

/** Lets another judge decide over a recorded run, with the strategies and detectors that this machine knows. */
export async function judgeAgain(log: Log, run: string, options: RedecideOptions, { troupe, loops }: Judges): Promise<JudgedAgain | Refused> {
  const { summary } = await summarise(log, run, loops);
  if (!summary) {
    const found = await firstUnreadable(log, run, loops);
    return found ? notFolded(found, loops) : { kind: 'unknown_run', run };
  }
  const other = otherJudge(options);
  if ('kind' in other) return other;
  const faults = await faultsIn(other, summary, { troupe, loops });
  if (faults.length > 0) return { kind: 'refused', faults };
  try {
    return { kind: 'redecided', tree: await redecideTree(log, run, other, { ...namesOf(troupe), loops }) };
  } catch (error) {
    if (error instanceof MigrationError) {
      return { kind: 'unknown_machine', machine: error.to, known: loops.map(({ id }) => id), because: error.message };
    }
    if (error instanceof UnreadableError) return notFolded(error.unreadable, loops);
    if (!(error instanceof UnknownMachineError)) throw error;
    return error.unknown;
  }
}

function otherJudge(options: RedecideOptions): OtherJudge | Refused {
  const { strategy: given, ...rest } = options;
  const own = typeof given === 'object' && 'onIterationComplete' in given ? given : null;
  const asked = own || given === undefined ? rest : { ...rest, strategy: given };
  const parsed = ChangeOptions.safeParse(asked);
  if (!parsed.success) return { kind: 'refused', faults: faultsOf(parsed.error, asked, knownKeys(ChangeOptions)) };
  const { strategy: named, detectors, maxSteps, maxToolCalls, maxTokens, maxTime, maxCost, maxIterations } = parsed.data;
  const { maxIterations: fromStrategy, ...config } = named?.config ?? { maxIterations: undefined };
  const iterations = maxIterations === undefined ? fromStrategy : maxIterations;
  const caps = { maxSteps, maxToolCalls, maxTokens, maxTimeMs: maxTime, maxCostNanoUsd: maxCost, maxIterations: iterations };
  const limits: Partial<Limits> = Object.fromEntries(Object.entries(caps).filter(([, cap]) => cap !== undefined));
  const strategy = own ?? (named && { name: named.name, config });
  return { limits, ...(strategy ? { strategy } : {}), ...(detectors ? { detectors: completeChoice(detectors) } : {}) };
}

async function faultsIn({ strategy, detectors }: OtherJudge, { settings, machine }: RunSummary, { troupe, loops }: Judges): Promise<readonly ConfigFault[]> {
  const { limits, directory } = settings;
  const configured = strategy ?? (knownLoop(machine, loops)?.hears ? settings.strategy : null);
  const isNamed = configured !== null && !isStrategy(configured);
  const ofStrategy = isNamed ? await troupe.strategies.loadFaults({ configured, limits, directory }) : [];
  return [...ofStrategy, ...troupe.detectorFaults(detectors ?? settings.detectors)];
}

const namesOf = ({ strategies, detectorsOf, callKind }: Troupe): Omit<Names, 'loops'> => ({
  strategyOf: (of) => strategies.of(of),
  release,
  detectorsOf,
  callKind,
});
