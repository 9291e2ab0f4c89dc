import type { Limits, RunSettings } from '../../machines/settings.ts';
import type { ConfigFault } from '../options/config-fault.ts';
import type { Detector } from '../detectors/detector.ts';
import { delegationOf } from '../detectors/handoff-cycle.ts';
import { DEFAULT_DETECTORS, detectorsOf } from '../detectors/profile.ts';
import { withPolling } from '../detectors/poll-commands.ts';
import { noTraits, type TraitsOf } from '../detectors/traits.ts';
import { shippedLoops } from '../loops/index.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { DetectorsFor } from '../judging/detector-set.ts';
import type { CallKindOf } from '../kernel/call-kinds.ts';
import { builtInStrategies } from '../strategies/registry.ts';
import type { LoopStrategy } from '../strategies/strategy.ts';
import { strategyCap } from '../strategies/strategy-kinds.ts';

type Configured = RunSettings['strategy'];

/** The parts of a judge that are replaced. An absent part stays as the run had it. */
export interface OtherJudge {
  /** A strategy by its name and config, or as an object. It is asked after every recorded iteration. */
  readonly strategy?: NonNullable<Configured> | LoopStrategy;
  /** The complete choice of detectors, as a run records it: `identical-calls` watches only where it is named. */
  readonly detectors?: NonNullable<RunSettings['detectors']>;
  /** Caps that apply to the children of a loop (`settings.ofChildren`) are those of each child, as everywhere. */
  readonly limits?: Partial<Limits>;
  /** What detectors know of the run's tools. */
  readonly traits?: TraitsOf;
}

/** Resolves the names in a run's settings. */
export interface Names {
  readonly strategyOf: (of: {
    readonly configured: Configured;
    readonly limits: Limits;
    readonly directory: string;
  }) => LoopStrategy;
  /** Ends a strategy that was created here. */
  readonly release: (strategy: LoopStrategy) => Promise<void>;
  readonly detectorsOf: DetectorsFor;
  readonly loops: readonly LoopDefinition[];
  /** Which kind of call a call is that the recording refused. */
  readonly callKind: CallKindOf;
}

/** The built-in names. Throws for any other: check for its faults first. */
export function builtInNames(traits: TraitsOf = noTraits): Names {
  const strategies = builtInStrategies();
  return {
    strategyOf: ({ configured, limits: { maxIterations } }) => {
      const created = strategies.create(configured, { maxIterations });
      if (created.kind === 'refused') throw unfit(created.faults);
      return created.strategy;
    },
    release: async () => {},
    loops: shippedLoops,
    callKind: ({ tool, arguments: given }) => (delegationOf(traits(tool), given) ? 'child' : 'tool'),
    detectorsOf: (choices = [...DEFAULT_DETECTORS], polling = []): readonly Detector[] => {
      const chosen = detectorsOf(choices, withPolling(traits, polling));
      if (chosen.kind === 'refused') throw unfit(chosen.faults);
      return chosen.detectors;
    },
  };
}

/** The shorter form of `faultSentence`, which needs Node: hosts without it decide by these names, too. */
const unfit = (faults: readonly ConfigFault[]): Error =>
  new Error(
    faults
      .map(({ field, expected, value }) => `${field}: expected ${expected}, found ${JSON.stringify(value)}`)
      .join('; '),
  );

/** Whether the settings are older than the choice of detectors. Such decisions do not record findings either. */
export const isOlderThanTheChoice = ({ detectors }: RunSettings): boolean => detectors === undefined;

/** The only detector of such a run. */
const BEFORE_THE_CHOICE: NonNullable<RunSettings['detectors']> = ['identical-calls'];

/** The detectors in place of those that a run has chosen. */
export function watching({ detectors }: OtherJudge, names: Names): DetectorsFor {
  return (chosen = BEFORE_THE_CHOICE, polling = []) => names.detectorsOf(detectors ?? chosen, polling);
}

/**
 * The limits under the other judge. A default number of iterations goes with its strategy: where none was configured,
 * the other strategy brings its own.
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

/** Steps and calls of attempts, for example, are counted by each attempt. */
const without = (limits: Partial<Limits>, ofChildren: readonly (keyof Limits)[] = []): Partial<Limits> =>
  Object.fromEntries(Object.entries(limits).filter(([name]) => !ofChildren.some((one) => one === name)));

export const isStrategy = (strategy: NonNullable<OtherJudge['strategy']>): strategy is LoopStrategy =>
  'onIterationComplete' in strategy;
