import type { Limits, RunSettings } from '../../machines/settings.ts';
import { builtInStrategy, DEFAULT_STRATEGY, strategyCap } from '../strategies/strategy-kinds.ts';
import { aboveCeiling, aloneWithoutEnd, effectiveCap, iterationWithoutEnd } from './caps.ts';
import {
  CEILINGS,
  type Ceilings,
  CHILD_GRACE_HEAD_START_MS,
  DEFAULT_GRACE_MS,
  DEFAULT_TOOL_CALLS,
} from '../options/defaults.ts';
import { settingsOf } from './question-settings.ts';
import { foreignAgentFaults, withAgent } from './agents/run-agent.ts';
import { type ConfigFault, faultAt, faultsOf, knownKeys } from '../options/config-fault.ts';
import { boundsChildren, type KnownLoop, knownLoop, nameOf, ownOptions, SHIPPED } from './loop-by-name.ts';
import { labelFaults, withLabels } from './labels.ts';
import { type ParsedOptions, RunOptions } from './options.ts';
import { isContest, type Resolution, resolveContest } from './resolve-contest.ts';

/**
 * The complete settings of a run from a user's options, with at least one finite cap; or every fault at once.
 *
 * A label may choose the loop. Without both, checks or a strategy make it a loop of iterations. `loops` are the known
 * loops, the built-in ones by default. A loop whose caps on steps and calls apply to its children is resolved like a
 * loop of iterations, any other like a turn. The number of iterations is one fact: given to the strategy
 * (`strategy.config.maxIterations`) it becomes the run's `maxIterations` and leaves the config; given in both places it
 * must be the same. An attempt is done by the agent `Coder` where none is named. `graceMs` is that of each attempt: the
 * loop around it waits 5 s longer. `directory` is kept as it is, `.` by default.
 *
 * @example
 * const resolved = resolveSettings({ prompt: 'Fix the tests', checks: ['npm test'] });
 * if (resolved.kind === 'refused') for (const fault of resolved.faults) console.error(faultSentence(fault));
 */
export function resolveSettings(
  options: unknown,
  given: { readonly ceilings?: Partial<Ceilings>; readonly loops?: readonly KnownLoop[] } = {},
): Resolution {
  const ceilings = { ...CEILINGS, ...given.ceilings };
  const parsed = RunOptions.safeParse(options);
  if (!parsed.success) {
    const faults = faultsOf(parsed.error, options, knownKeys(RunOptions));
    // A label says what the run is to be: it comes first.
    return refused([...labelFaults(options), ...faults]);
  }
  if (isContest(parsed.data)) return resolveContest(options, parsed.data, (alone) => resolveSettings(alone, given));
  const labelled = withLabels(parsed.data, ceilings);
  if (labelled.kind === 'refused') return labelled;
  const loop = knownLoop(loopOf(labelled.asked), given.loops ?? SHIPPED);
  if ('field' in loop) return refused([loop]);
  const asked = withAgent(labelled.asked, boundsChildren(loop));
  const own = ownOptions(loop, asked.options);
  const faults = [
    ...(own.kind === 'refused' ? own.faults : []),
    ...aboveCeiling('maxSteps', asked.maxSteps, 'steps', ceilings),
    ...aboveCeiling('maxIterations', asked.maxIterations, 'iterations', ceilings),
    ...aboveCeiling('strategy.config.maxIterations', asked.strategy?.config.maxIterations, 'iterations', ceilings),
    ...twoAnswers(asked),
    ...foreignAgentFaults(asked),
    ...reserveWithoutRest(asked),
  ];
  if (faults.length > 0 || own.kind === 'refused') return refused(faults);
  const resolved = boundsChildren(loop) ? resolveParent(loop, asked, ceilings) : resolveAlone(loop, asked, ceilings);
  if (resolved.kind === 'refused') return resolved;
  const settings = own.options === undefined ? resolved.settings : { ...resolved.settings, options: own.options };
  return { ...resolved, settings, warnings: [...labelled.warnings, ...resolved.warnings] };
}

const FIXED: NonNullable<ParsedOptions['strategy']> = { name: DEFAULT_STRATEGY, config: {} };

/** A run that does its work itself. */
function resolveAlone(loop: KnownLoop, asked: ParsedOptions, ceilings: Ceilings): Resolution {
  const { bounds = [] } = loop.settings ?? {};
  const { maxIterations: cap = defaultIterations(FIXED, ceilings) } = asked;
  const maxIterations = bounds.includes('maxIterations') ? effectiveCap(cap, ceilings.iterations) : null;
  const limits: Limits = { ...attemptCaps(asked, ceilings), ...runCaps(asked), maxIterations };
  const graceMs = graceOf(asked);
  const settings = settingsOf(asked, {
    loop: nameOf(loop),
    limits,
    attemptLimits: null,
    strategy: null,
    graceMs,
  });
  const faults = aloneWithoutEnd(limits, bounds);
  return faults.length > 0 ? refused(faults) : { kind: 'settings', settings, warnings: unusedIn(loop, asked) };
}

/** A run whose work is done by child runs. */
function resolveParent(loop: KnownLoop, asked: ParsedOptions, ceilings: Ceilings): Resolution {
  const { name, config } = asked.strategy ?? FIXED;
  const { maxIterations: fromStrategy, ...rest } = config;
  const cap = asked.maxIterations === undefined ? fromStrategy : asked.maxIterations;
  const wanted: Limits = {
    ...runCaps(asked),
    maxSteps: null,
    maxToolCalls: null,
    maxIterations: cap === undefined ? defaultIterations({ name, config }, ceilings) : cap,
  };
  const limits = { ...wanted, maxIterations: effectiveCap(wanted.maxIterations, ceilings.iterations) };
  const attemptLimits: Limits = {
    ...attemptCaps(asked, ceilings),
    maxTokens: null,
    maxTimeMs: null,
    maxCostNanoUsd: null,
    maxIterations: null,
  };
  const settings = settingsOf(asked, {
    loop: nameOf(loop),
    limits,
    attemptLimits,
    strategy: loop.strategyInput ? { name, config: rest } : null,
    graceMs: graceOf(asked) + CHILD_GRACE_HEAD_START_MS,
  });
  // A configuration without an end is a fault: the ceiling is a safeguard, not a replacement for a forgotten number.
  const faults = iterationWithoutEnd(wanted, attemptLimits);
  const warnings = loop.strategyInput ? neverEarly(settings) : unusedIn(loop, asked);
  return faults.length > 0 ? refused(faults) : { kind: 'settings', settings, warnings };
}

type Configured = NonNullable<RunSettings['strategy']>;
const graceOf = ({ graceMs = DEFAULT_GRACE_MS }: ParsedOptions) => graceMs;

const attemptCaps = ({ maxSteps = null, maxToolCalls = DEFAULT_TOOL_CALLS }: ParsedOptions, ceilings: Ceilings) => ({
  maxSteps: effectiveCap(maxSteps, ceilings.steps),
  maxToolCalls,
});

const runCaps = ({ maxTokens = null, maxTime = null, maxCost = null }: ParsedOptions) => ({
  maxTokens,
  maxTimeMs: maxTime,
  maxCostNanoUsd: maxCost,
});

const defaultIterations = (strategy: Configured, { iterations }: Ceilings) =>
  effectiveCap(strategyCap(strategy), iterations);

function loopOf({ loop, checks = [], strategy }: ParsedOptions): RunSettings['loop'] {
  return loop ?? (checks.length > 0 || strategy !== undefined ? 'iteration' : 'turn');
}

function twoAnswers({ maxIterations, strategy }: ParsedOptions): ConfigFault[] {
  const other = strategy?.config.maxIterations;
  if (maxIterations === undefined || other === undefined || maxIterations === other) return [];
  const expected = `the same number as maxIterations (${maxIterations ?? 'none'}), or only one of the two`;
  return [faultAt('strategy.config.maxIterations', other ?? 'none', expected)];
}

/** What is reserved for the summary is not available for the work. */
function reserveWithoutRest({ maxTokens = null, summaryTokens = 0 }: ParsedOptions): ConfigFault[] {
  if (maxTokens === null || summaryTokens < maxTokens || summaryTokens === 0) return [];
  return [faultAt('summaryTokens', summaryTokens, `less than maxTokens (${maxTokens}): it is set aside from them`)];
}

function unusedIn(loop: KnownLoop, asked: ParsedOptions): string[] {
  const { settings, strategyInput } = loop;
  const name = nameOf(loop);
  const why =
    name === 'turn' ? "a turn is one attempt. Choose loop 'iteration' for several." : `the loop ${name} asks for none.`;
  return (['maxIterations', 'strategy', 'ci'] as const)
    .filter(
      (option) =>
        asked[option] !== undefined &&
        !strategyInput &&
        !(option === 'maxIterations' && settings?.bounds.includes(option)),
    )
    .map((option) => `${option} is not used: ${why}`);
}

/** Warns where only a passed check could end the loop early, and no check is configured. */
function neverEarly({ checks, strategy, limits, ci }: RunSettings): string[] {
  if (checks.length > 0 || !strategy || !onlyChecksEnd(strategy, ci)) return [];
  const last = limits.maxIterations === null ? 'a limit' : `iteration ${limits.maxIterations}`;
  return [`No check is configured, so nothing can end the loop before ${last}. Add one that proves the work.`];
}

const onlyChecksEnd = ({ name, config }: Configured, ci: RunSettings['ci'] = null): boolean =>
  builtInStrategy(name)?.endsOnlyByChecks?.(config, ci) ?? false;

const refused = (faults: readonly ConfigFault[]): Resolution => ({ kind: 'refused', faults });
