import type { Limits, ProofSettings, RunSettings, Sandbox } from '../../machines/settings.ts';
import { NANO_USD_PER_USD } from '../text/money.ts';
import { recordedPermissions } from './asked-permissions.ts';
import { CHILD_GRACE_HEAD_START_MS, DEFAULT_MODEL } from './defaults.ts';
import type { RunOptions } from './options.ts';

/** Options without a task: those of a run as it was recorded. */
export type RecordedOptions = Omit<RunOptions, 'prompt'>;

/**
 * The options that lead to the settings of a recorded run, for a run that continues its conversation. What belongs to
 * the one run is left out: its task, its worktree, what its checks went by, and a system prompt that was made for it.
 */
export function recordedOptions(settings: RunSettings): RecordedOptions {
  const { limits, attemptLimits, graceMs, system, systemVersion, isolation, model, checks } = settings;
  return {
    ...without({
      model: model === DEFAULT_MODEL ? undefined : model,
      fallbackModel: settings.fallbackModel,
      judge: settings.judge,
      agent: settings.agent,
      // The version says that it was written for that run: the next one has its own.
      system: systemVersion === undefined ? system : undefined,
      systemAppend: settings.systemAppend,
      accept: settings.accept,
      captureLimit: settings.captureLimit,
      outputSchema: settings.answerSchema,
      hooks: settings.hooks,
      ci: settings.ci,
      strategy: settings.strategy,
      options: settings.options,
      detectors: settings.detectors,
      maxParallel: settings.maxParallel,
      polling: settings.polling,
      ...settings.parameters,
      summaryTokens: settings.summaryTokens,
      stateDirectory: settings.stateDirectory,
      webhooks: settings.webhooks,
    }),
    loop: settings.loop,
    directory: isolation?.origin ?? settings.directory,
    tools: settings.tools,
    ...recordedPermissions(settings.permissions),
    environment: settings.environment ?? [],
    checks,
    ...capsOf(limits, settings.thread?.ownMaxCostNanoUsd),
    ...(attemptLimits ? stepsOf(attemptLimits) : stepsOf(limits)),
    graceMs: attemptLimits ? Math.max(0, graceMs - CHILD_GRACE_HEAD_START_MS) : graceMs,
    ...(isolation ? { isolate: 'worktree', isolateFrom: isolation.commit === undefined ? 'files' : 'HEAD' } : {}),
    ...(settings.sandbox ? sandboxOptions(settings.sandbox) : {}),
    ...(checks.length === 0 ? {} : proofOptions(settings.proof)),
  } as RecordedOptions;
}

const sandboxOptions = ({ network, writable, limits }: Sandbox) => ({
  sandbox: 'required',
  network,
  sandboxWrite: writable,
  ...(limits === undefined ? {} : { sandboxLimits: limits }),
});

const orNone = (cap: number | null): number | 'none' => cap ?? 'none';

const capsOf = (
  { maxTokens, maxTimeMs, maxIterations, maxCostNanoUsd = null }: Limits,
  ownCost: number | null = maxCostNanoUsd,
) => ({
  maxTokens: orNone(maxTokens),
  maxTime: orNone(maxTimeMs),
  maxCost: ownCost === null ? 'none' : ownCost / NANO_USD_PER_USD,
  ...(maxIterations === null ? {} : { maxIterations }),
});

const stepsOf = ({ maxSteps, maxToolCalls }: Limits) => ({
  maxSteps: orNone(maxSteps),
  maxToolCalls: orNone(maxToolCalls),
});

function proofOptions(proof: ProofSettings | undefined): Partial<RecordedOptions> {
  if (!proof) return { checkIn: 'workspace' };
  const { provided, prepare, homePaths, allowGrounds, heldOut, wait, requireRed, walls, control, legs } = proof;
  return {
    protect: proof.protect,
    unprotect: proof.unprotect,
    deps: proof.dependencies,
    ...without({
      provide: provided?.map(({ path }) => path),
      prepare,
      homePaths,
      allowGrounds,
      heldOut: heldOut?.from,
      heldOutChecks: heldOut?.checks,
      heldOutTells: heldOut?.tells,
      wait,
      requireRed,
      walls,
      control,
      legs,
    }),
  } as Partial<RecordedOptions>;
}

/** Without members that say nothing. */
const without = (members: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined && value !== null));
