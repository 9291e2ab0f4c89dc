import type { Limits, RunSettings } from '../../../machines/settings.ts';
import { ChangeOptions } from '../../config/change.ts';
import { knownKeys, type ConfigFault, faultAt, faultsOf } from '../../options/config-fault.ts';
import { detectorsOf } from '../../loops/turn/detectors-of.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { knownLoop } from '../../projections/loop-in-view.ts';
import type { RunSummary } from '../../projections/run-summary.ts';
import type { JudgeServices } from '../../ports/services.ts';
import { isStrategy, type OtherJudge } from '../../redecide/other-judge.ts';
import { runsUserCode } from '../../strategies/strategy-kinds.ts';
import type { LoopStrategy } from '../../strategies/strategy.ts';

/**
 * What is put in the judge's place: options as for a run, or a strategy itself. What is absent stays as the run had it.
 */
export interface RedecideOptions extends Omit<ChangeOptions, 'strategy'> {
  readonly strategy?: ChangeOptions['strategy'] | LoopStrategy;
}

/** What this process judges with. */
export interface Judges {
  readonly services: JudgeServices;
  readonly loops: readonly LoopDefinition[];
}

export type Refused = { readonly kind: 'refused'; readonly faults: readonly ConfigFault[] };

/** The judge that these options describe for a run with these settings, or their faults. */
export function otherJudge(options: RedecideOptions, settings: RunSettings): OtherJudge | Refused {
  const { strategy: given, ...rest } = options;
  const own = typeof given === 'object' && 'onIterationComplete' in given ? given : null;
  const asked = own || given === undefined ? rest : { ...rest, strategy: given };
  const parsed = ChangeOptions.safeParse(asked);
  if (!parsed.success) return { kind: 'refused', faults: faultsOf(parsed.error, asked, knownKeys(ChangeOptions)) };
  const {
    strategy: named,
    detectors,
    maxSteps,
    maxToolCalls,
    maxTokens,
    maxTime,
    maxCost,
    maxIterations,
  } = parsed.data;
  const { maxIterations: fromStrategy, ...config } = named?.config ?? { maxIterations: undefined };
  const iterations = maxIterations === undefined ? fromStrategy : maxIterations;
  const caps = {
    maxSteps,
    maxToolCalls,
    maxTokens,
    maxTimeMs: maxTime,
    maxCostNanoUsd: maxCost,
    maxIterations: iterations,
  };
  const limits: Partial<Limits> = Object.fromEntries(Object.entries(caps).filter(([, cap]) => cap !== undefined));
  const strategy = own ?? (named && { name: named.name, config });
  const watching = detectors && detectorsOf(detectors, settings);
  return { limits, ...(strategy ? { strategy } : {}), ...(watching ? { detectors: watching } : {}) };
}

const OWN_STRATEGY = faultAt(
  'strategy',
  undefined,
  'the strategy to ask: this run has a custom one, whose code does not run here',
);

/**
 * Why this process cannot judge a run with that judge; empty where it can. `runsNoCode`: a module that decides for the
 * run is not loaded.
 */
export async function faultsIn(
  { strategy, detectors }: OtherJudge,
  { settings, machine, strategy: inForce }: RunSummary,
  { services, loops }: Judges,
  runsNoCode = false,
): Promise<readonly ConfigFault[]> {
  if (runsNoCode && !strategy && runsUserCode(inForce)) return [OWN_STRATEGY];
  const { limits, directory } = settings;
  const configured = strategy ?? (knownLoop(machine, loops)?.strategyInput ? settings.strategy : null);
  const isNamed = configured !== null && !isStrategy(configured);
  const ofStrategy = isNamed ? await services.strategies.loadFaults({ configured, limits, directory }) : [];
  return [...ofStrategy, ...services.detectorFaults(detectors ?? settings.detectors)];
}
