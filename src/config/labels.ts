import { isRalphLabel, LABEL_FORMS, parseRalphWiggumConfig } from '../ralph/label.ts';
import { NoPromise } from '../ralph/completion-promise.ts';
import { DEFAULT_MAXIMUM, effectiveMaximum, HARD_CEILING, UNLIMITED } from '../ralph/maximum.ts';
import { type ConfigFault, faultAt } from '../options/config-fault.ts';
import type { Ceilings } from '../options/defaults.ts';
import { type ParsedOptions, RunOptions } from './options.ts';

/** The options with what the labels choose, or every fault. */
export type Labelled =
  | { readonly kind: 'asked'; readonly asked: ParsedOptions; readonly warnings: readonly string[] }
  | { readonly kind: 'refused'; readonly faults: readonly ConfigFault[] };

/** The loop that a label chooses, and the name of its strategy. */
const RALPH = 'ralph';
/**
 * The loop looks for a promise, so its strategy looks for no other signal, for no repetition and for no convergence: it
 * ends nothing. The default detectors of the run find repetition.
 */
const STRATEGY = { completionSignals: [], loopDetection: false, convergenceThreshold: null, minIterations: 1 };

/** Options of a run that only this loop has, and what its own options call them. */
const OF_LOOP = { completionPromise: 'completionPromise', context: 'context', adaptiveIterations: 'adaptive' } as const;
type OfLoop = keyof typeof OF_LOOP;

/**
 * Completes options by their labels: a label such as `ralph-wiggum-5` chooses the loop `ralph` with its strategy, its
 * maximum and its own options. Labels of which none chooses a loop are refused, because the run would be another one
 * than was asked for; beside a label that does, others mean nothing.
 */
export function withLabels(asked: ParsedOptions, { iterations }: Ceilings): Labelled {
  const { labels = [] } = asked;
  const isLabelled = labels.some(isRalphLabel);
  if (!isLabelled && (asked.loop !== RALPH || labels.length > 0)) return withoutLabel(asked, labels);
  const highest = iterations ?? HARD_CEILING;
  const { ceiling = highest } = (asked.options ?? {}) as { readonly ceiling?: number };
  const config = parseRalphWiggumConfig(labels, ceiling);
  const maximum = maximumOf(asked, config?.maxIterations ?? Math.min(DEFAULT_MAXIMUM, ceiling));
  const faults = [
    ...(isLabelled ? otherLoop(asked) : []),
    ...saidTwice(asked),
    ...ceilingFaults(ceiling, highest, maximum),
  ];
  if (faults.length > 0) return { kind: 'refused', faults };
  const given = Object.entries(OF_LOOP).map(([option, member]) => [member, asked[option as OfLoop]]);
  const options = {
    ...asked.options,
    ...Object.fromEntries(given.filter(([, value]) => value !== undefined)),
    ...(config && { label: config.label }),
    ...(maximum.isOption && { isFixed: true }),
    ...(maximum.maxIterations === UNLIMITED && { isUnlimited: true }),
    ceiling,
  };
  const maxIterations = effectiveMaximum(maximum.maxIterations, ceiling);
  const { name = RALPH, config: configured = {} } = asked.strategy ?? {};
  const { maxIterations: _asked, ...rest } = name === RALPH ? { ...STRATEGY, ...configured } : configured;
  return {
    kind: 'asked',
    asked: { ...asked, loop: RALPH, strategy: { name, config: rest }, maxIterations, options },
    warnings: [...(config?.warnings ?? []), ...endless(asked, maxIterations)],
  };
}

/** Labels of which none chooses a loop. Found in options that are invalid in other ways, too. */
export function labelFaults(options: unknown): ConfigFault[] {
  const { success, data: labels = [] } = RunOptions.shape.labels.safeParse(Object(options).labels);
  if (!success || labels.length === 0 || labels.some(isRalphLabel)) return [];
  return [faultAt('labels', labels.join(', '), `a label that chooses a loop: ${LABEL_FORMS}`)];
}

/** What the user should know of a loop that neither a promise nor a check can end. */
function endless({ completionPromise, options, checks = [] }: ParsedOptions, maximum: number): string[] {
  const promise = completionPromise === undefined ? options?.['completionPromise'] : completionPromise;
  if (checks.length > 0 || (promise !== null && !NoPromise.safeParse(promise).success)) return [];
  return [
    `no promise is asked for, and there are no checks: only a limit ends this loop, after ${maximum} iterations at ` +
      'the latest. Give it a check (--verify), or a promise.',
  ];
}

function withoutLabel(asked: ParsedOptions, labels: readonly string[]): Labelled {
  const alone = labelFaults(asked);
  const label = `such as --label ralph-wiggum, or labels: ['ralph-wiggum']`;
  const remedy = `a label with it that chooses its loop, ${label}, or --loop ralph`;
  const lonely = (Object.keys(OF_LOOP) as OfLoop[])
    .filter((option) => asked[option] !== undefined && labels.length === 0)
    .map((option) => faultAt(option, asked[option], remedy));
  const faults = [...alone, ...lonely];
  return faults.length > 0 ? { kind: 'refused', faults } : { kind: 'asked', asked, warnings: [] };
}

/** Two answers to one question are refused: a label chooses its loop, and that loop its strategy. */
function otherLoop({ loop = RALPH, strategy, labels = [] }: ParsedOptions): ConfigFault[] {
  const label = labels.find(isRalphLabel);
  const strategyName = strategy?.name ?? RALPH;
  return [
    ...(loop === RALPH ? [] : [faultAt('loop', loop, `no other loop: the label ${label} chooses the loop ${RALPH}`)]),
    ...(strategyName === RALPH
      ? []
      : [faultAt('strategy', strategyName, `no other strategy: the label ${label} has the strategy ${RALPH}`)]),
  ];
}

/** An option and the member that means the same may not both be given. */
const saidTwice = (asked: ParsedOptions): ConfigFault[] =>
  Object.entries({ ...OF_LOOP, labels: 'label' }).flatMap(([option, member]) => {
    const given = asked[option as OfLoop | 'labels'];
    const own = asked.options?.[member];
    return given === undefined || own === undefined
      ? []
      : [faultAt(`options.${member}`, own, `nothing here: the option ${option} says it already`)];
  });

function ceilingFaults(ceiling: unknown, highest: number, { maxIterations, isOption }: Maximum): ConfigFault[] {
  if (typeof ceiling !== 'number' || !Number.isInteger(ceiling) || ceiling < 1 || ceiling > highest) {
    return [faultAt('options.ceiling', ceiling, `a whole number of iterations, 1 to ${highest}`)];
  }
  if (!isOption || maxIterations <= ceiling) return [];
  return [faultAt('maxIterations', maxIterations, `a whole number of iterations, at most ${ceiling} (the ceiling)`)];
}

/** How many iterations are asked for, 0 for as many as the ceiling allows, and whether an option says so. */
interface Maximum {
  readonly maxIterations: number;
  readonly isOption: boolean;
}

/** Strongest first: the option, the label, the default. `none` is no maximum but the ceiling. */
function maximumOf({ maxIterations, strategy }: ParsedOptions, otherwise: number): Maximum {
  const asked = maxIterations === undefined ? strategy?.config.maxIterations : maxIterations;
  if (asked !== undefined) return { maxIterations: asked ?? UNLIMITED, isOption: true };
  return { maxIterations: otherwise, isOption: false };
}
