import type { RunSettings } from '../../machines/settings.ts';
import { CHILD_GRACE_HEAD_START_MS, DEFAULT_MODEL } from '../options/defaults.ts';
import type { OptionWith } from '../options/option-table.ts';
import { NANO_USD_PER_USD } from '../text/money.ts';
import { ruleText } from '../permissions/rule-text.ts';
import type { RunOptions } from './options.ts';

/** Options without a task: those of a run as it was recorded. */
export type RecordedOptions = Omit<RunOptions, 'prompt'>;

type Recorded = OptionWith<'recorded', true>;

/** Returns the proof that the checks of a run had; undefined without checks. */
const proofOf = ({ checks, proof }: RunSettings) => (checks.length === 0 ? undefined : proof);
/** Caps on steps and calls are those of an attempt, where there are attempts. */
const stepsOf = ({ attemptLimits, limits }: RunSettings) => attemptLimits ?? limits;
const startOf = ({ commit }: { readonly commit?: string | undefined }) => (commit === undefined ? 'files' : 'HEAD');
const orNone = (cap: number | null): number | 'none' => cap ?? 'none';

/** The value that leads to the settings of a recorded run, by option. Undefined or null: they do not need it. */
const VALUES: { readonly [option in Recorded]: (settings: RunSettings) => unknown } = {
  loop: ({ loop }) => loop,
  options: ({ options }) => options,
  outputSchema: ({ answerSchema }) => answerSchema,
  model: ({ model }) => (model === DEFAULT_MODEL ? null : model),
  fallbackModel: ({ fallbackModel }) => fallbackModel,
  judge: ({ judge }) => judge,
  effort: ({ parameters }) => parameters?.effort,
  temperature: ({ parameters }) => parameters?.temperature,
  maxAnswerTokens: ({ parameters }) => parameters?.maxAnswerTokens,
  providerOptions: ({ parameters }) => parameters?.providerOptions,
  agent: ({ agent }) => agent,
  // The version says that it was written for that run: the next one has its own.
  system: ({ system, systemVersion }) => (systemVersion === undefined ? system : null),
  systemAppend: ({ systemAppend }) => systemAppend,
  tools: ({ tools }) => tools,
  permissions: ({ permissions }) => permissions?.rules.map((rule) => ruleText(rule)),
  permissionProfile: ({ permissions }) => permissions?.profile,
  hooks: ({ hooks }) => hooks,
  environment: ({ environment = [] }) => environment,
  maxParallel: ({ maxParallel }) => maxParallel,
  maxIterations: ({ limits }) => limits.maxIterations,
  maxSteps: (settings) => orNone(stepsOf(settings).maxSteps),
  maxToolCalls: (settings) => orNone(stepsOf(settings).maxToolCalls),
  maxTokens: ({ limits }) => orNone(limits.maxTokens),
  maxTime: ({ limits }) => orNone(limits.maxTimeMs),
  maxCost: ({ limits, thread }) => {
    const cost = thread ? thread.ownMaxCostNanoUsd : (limits.maxCostNanoUsd ?? null);
    return cost === null ? 'none' : cost / NANO_USD_PER_USD;
  },
  summaryTokens: ({ summaryTokens }) => summaryTokens,
  graceMs: ({ attemptLimits, graceMs }) => (attemptLimits ? Math.max(0, graceMs - CHILD_GRACE_HEAD_START_MS) : graceMs),
  checks: ({ checks }) => checks,
  ci: ({ ci }) => ci,
  accept: ({ accept }) => accept,
  requireRed: (settings) => proofOf(settings)?.requireRed,
  heldOut: (settings) => proofOf(settings)?.heldOut?.from,
  heldOutChecks: (settings) => proofOf(settings)?.heldOut?.checks,
  heldOutTells: (settings) => proofOf(settings)?.heldOut?.tells,
  checkIn: ({ checks, proof }) => (checks.length > 0 && !proof ? 'workspace' : null),
  protect: (settings) => proofOf(settings)?.protect,
  unprotect: (settings) => proofOf(settings)?.unprotect,
  deps: (settings) => proofOf(settings)?.dependencies,
  allowGrounds: (settings) => proofOf(settings)?.allowGrounds,
  wait: (settings) => proofOf(settings)?.wait ?? (settings.permissions?.unattended ? false : null),
  provide: (settings) => proofOf(settings)?.provided?.map(({ path }) => path),
  prepare: (settings) => proofOf(settings)?.prepare,
  homePaths: (settings) => proofOf(settings)?.homePaths,
  walls: (settings) => proofOf(settings)?.walls,
  control: (settings) => proofOf(settings)?.control,
  legs: (settings) => proofOf(settings)?.legs,
  strategy: ({ strategy }) => strategy,
  detectors: ({ detectors }) => detectors,
  polling: ({ polling }) => polling,
  isolate: ({ isolation }) => (isolation ? 'worktree' : null),
  isolateFrom: ({ isolation }) => (isolation ? startOf(isolation) : null),
  sandbox: ({ sandbox }) => (sandbox ? 'required' : null),
  network: ({ sandbox }) => sandbox?.network,
  sandboxWrite: ({ sandbox }) => sandbox?.writable,
  sandboxLimits: ({ sandbox }) => sandbox?.limits,
  captureLimit: ({ captureLimit }) => captureLimit,
  stateDirectory: ({ stateDirectory }) => stateDirectory,
  webhooks: ({ webhooks }) => webhooks,
};

/**
 * The options that lead to the settings of a recorded run, for a run that continues its conversation. What belongs to
 * the one run is left out: its task, its worktree, what its checks went by, and a system prompt that was made for it.
 */
export function recordedOptions(settings: RunSettings): RecordedOptions {
  const values = Object.entries(VALUES).map(([option, valueOf]) => [option, valueOf(settings)] as const);
  const said = values.filter(([, value]) => value !== undefined && value !== null);
  return { ...Object.fromEntries(said), directory: settings.isolation?.origin ?? settings.directory };
}
