import { z } from 'zod';
import { ImprovementOptions } from '../../../machines/improvement-options.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { LoopSettings, RunPlaces } from '../../kernel/loop-definition.ts';
import { type ConfigFault, faultAt } from '../../options/config-fault.ts';
import { attemptBounds } from '../attempt-loop.ts';

const DEFAULT_ITERATIONS = 10;
const DEFAULT_TOKENS = 5_000_000;

/** What a new run records: its candidates name their witnesses. */
const StartedOptions = ImprovementOptions.extend({ witnesses: z.literal(true).default(true) });

/** What bounds an improvement loop, what its runs have by default, and which are refused. */
export const improvementSettings: LoopSettings = {
  ...attemptBounds,
  options: StartedOptions,
  defaults: {
    maxIterations: DEFAULT_ITERATIONS,
    maxTokens: DEFAULT_TOKENS,
    isolate: 'worktree',
    isolateFrom: 'HEAD',
  },
  needsCleanStart: true,
  refuses,
};

/** Its own tree is a worktree, and what it keeps is proven in checkouts. */
function refuses({ checks, options }: RunSettings, { isIsolated, isProven }: RunPlaces): ConfigFault[] {
  const { phases, terminationRules } = ImprovementOptions.parse(options ?? {});
  if (!isIsolated)
    return [faultAt('isolate', 'none', "'worktree': what the loop keeps lies there until it is applied")];
  const unusable = [...unreadableMetrics(phases.evaluate.benchmarks), ...emptyRules(terminationRules)];
  if (unusable.length > 0) return unusable;
  if (!phases.evaluate.enabled) return [];
  if (checks.length === 0) {
    const expected =
      'at least one check, such as npm test (--verify): without any, nothing says whether a change is an improvement. ' +
      'Or turn evaluation off, and decide about each change yourself (phases.evaluate.enabled: false)';
    return [faultAt('checks', undefined, expected)];
  }
  return isProven
    ? []
    : [faultAt('checkIn', 'workspace', "'proof': each candidate is checked in a checkout of its own")];
}

/** The first iteration that keeps nothing would already be one too many. */
const emptyRules = (rules: ImprovementOptions['terminationRules']): ConfigFault[] =>
  rules.flatMap(({ type, value }, index) =>
    type === 'consecutive-failures' && value < 1
      ? [
          faultAt(
            `options.terminationRules[${index}].value`,
            value,
            'at least 1: so many iterations in a row without an improvement end the loop, and no loop begins with none',
          ),
        ]
      : [],
  );

/** Known before anything is spent: a metric that is no expression, or has no group, measures nothing all night. */
const unreadableMetrics = (benchmarks: ImprovementOptions['phases']['evaluate']['benchmarks']): ConfigFault[] =>
  benchmarks.flatMap(({ metric }, index) =>
    metric === undefined || hasGroup(metric)
      ? []
      : [
          faultAt(
            `options.phases.evaluate.benchmarks[${index}].metric`,
            metric,
            'a regular expression whose first group is the number, such as ([0-9.]+) ms',
          ),
        ],
  );

function hasGroup(expression: string): boolean {
  try {
    // The empty alternative always matches: what it has beside the whole are its groups.
    return (new RegExp(`${expression}|`, 'm').exec('')?.length ?? 0) > 1;
  } catch {
    return false;
  }
}
