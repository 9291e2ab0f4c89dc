import type { Limits, RunSettings } from '../../machines/settings.ts';
import { faultSentence } from '../config/fault.ts';
import { DEFAULT_DETECTORS, strategyCap } from '../config/defaults.ts';
import type { Detector } from '../detectors/detector.ts';
import { handedOver } from '../detectors/handoff-cycle.ts';
import { detectorsOf } from '../detectors/profile.ts';
import { noTraits, type TraitsOf } from '../detectors/traits.ts';
import { shippedLoops } from '../loops/index.ts';
import type { LoopDefinition } from '../runtime/loop-definition.ts';
import type { Watching } from '../runtime/lookout.ts';
import type { CallKindOf } from '../runtime/own-judgement.ts';
import { builtInStrategies } from '../strategies/registry.ts';
import type { LoopStrategy } from '../strategies/strategy.ts';

type Configured = RunSettings['strategy'];

/** What is put in the judge's place. What is absent stays as the run had it. */
export interface OtherJudge {
  /** By its name and config, or itself. It is asked after every recorded iteration. */
  readonly strategy?: NonNullable<Configured> | LoopStrategy;
  /** These and no others, as a run records them: `identical-calls` watches where it is among them. */
  readonly detectors?: NonNullable<RunSettings['detectors']>;
  /** Caps that a loop hands to its children (`settings.ofChildren`) are those of each child, as everywhere. */
  readonly limits?: Partial<Limits>;
  /** What detectors are to know of the run's tools. */
  readonly traits?: TraitsOf;
}

/** What the names in a run's settings stand for. */
export interface Names {
  readonly strategyOf: (of: { readonly configured: Configured; readonly limits: Limits; readonly directory: string }) => LoopStrategy;
  /** A strategy that was made here is needed no more. */
  readonly release: (strategy: LoopStrategy) => Promise<void>;
  readonly detectorsOf: Watching;
  readonly loops: readonly LoopDefinition[];
  /** Who would answer a call that the recording refused. */
  readonly callKind: CallKindOf;
}

/** The names that come with the library. Throws for any other: ask for their faults first. */
export function builtInNames(traits: TraitsOf = noTraits): Names {
  const strategies = builtInStrategies();
  return {
    strategyOf: ({ configured, limits: { maxIterations } }) => {
      const created = strategies.create(configured, { maxIterations });
      if (created.kind === 'refused') throw new Error(created.faults.map(faultSentence).join('; '));
      return created.strategy;
    },
    release: async () => {},
    loops: shippedLoops,
    callKind: ({ tool, arguments: given }) => (handedOver(traits(tool), given) ? 'child' : 'tool'),
    detectorsOf: (choices = [...DEFAULT_DETECTORS]): readonly Detector[] => {
      const chosen = detectorsOf(choices, traits);
      if (chosen.kind === 'refused') throw new Error(chosen.faults.map(faultSentence).join('; '));
      return chosen.detectors;
    },
  };
}

/** The settings are older than the choice of detectors: decisions did not say either what had been noticed. */
export const isOlderThanTheChoice = ({ detectors }: RunSettings): boolean => detectors === undefined;

/** All that watched such a run. */
const BEFORE_THE_CHOICE: NonNullable<RunSettings['detectors']> = ['identical-calls'];

/** Who watches in place of those that a run has chosen. */
export function watching({ detectors }: OtherJudge, names: Names): Watching {
  return (chosen = BEFORE_THE_CHOICE) => names.detectorsOf(detectors ?? chosen);
}

/**
 * Limits as the other judge has them. A number of iterations that its strategy brought along goes with that strategy:
 * where nobody said a number, the other one brings its own.
 */
export function limitsUnder(other: OtherJudge, recorded: Limits, { loop, strategy: before }: Judged): Limits {
  const { limits = {}, strategy } = other;
  const merged = { ...recorded, ...without(limits, loop.settings?.ofChildren) };
  if (limits.maxIterations !== undefined || !strategy || isStrategy(strategy) || !before) return merged;
  return recorded.maxIterations === strategyCap(before) ? { ...merged, maxIterations: strategyCap(strategy) } : merged;
}

interface Judged {
  readonly loop: LoopDefinition;
  /** The recorded one. */
  readonly strategy: Configured;
}

/** Steps and calls of attempts, for example, are for each attempt to count. */
const without = (limits: Partial<Limits>, ofChildren: readonly (keyof Limits)[] = []): Partial<Limits> =>
  Object.fromEntries(Object.entries(limits).filter(([name]) => !ofChildren.some((one) => one === name)));

export const isStrategy = (strategy: NonNullable<OtherJudge['strategy']>): strategy is LoopStrategy => 'onIterationComplete' in strategy;
