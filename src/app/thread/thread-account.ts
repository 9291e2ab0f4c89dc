import type { RunSettings, Thread } from '../../../machines/settings.ts';
import { RunOptions } from '../../config/options.ts';
import { faultAt } from '../../options/config-fault.ts';
import { formatMoney, NANO_USD_PER_USD } from '../../text/money.ts';
import { OptionsError } from '../start/options-error.ts';
import type { PastRun } from './past-run.ts';

/**
 * The settings of a run as part of its thread: what the runs before it have cost, and its own cap lowered to what is
 * left for all of them. Throws an `OptionsError` where nothing is left.
 */
export function withAccount(
  settings: RunSettings,
  past: PastRun | null,
  { threadMaxCost }: Pick<RunOptions, 'threadMaxCost'>,
): RunSettings {
  const asked = RunOptions.shape.threadMaxCost.parse(threadMaxCost);
  if (past === null && (asked ?? null) === null) return settings;
  const before = past?.settings.thread;
  const { limits } = settings;
  const thread: Thread = {
    continues: past?.run ?? null,
    tokens: (before?.tokens ?? 0) + (past ? past.spend.inputTokens + past.spend.outputTokens : 0),
    nanoUsd: (before?.nanoUsd ?? 0) + (past?.spend.costNanoUsd ?? 0),
    // The cap is of the thread: it stays until another one is given.
    maxCostNanoUsd: asked === undefined ? (before?.maxCostNanoUsd ?? null) : asked,
    ownMaxCostNanoUsd: limits.maxCostNanoUsd ?? null,
  };
  return { ...settings, thread, limits: { ...limits, maxCostNanoUsd: costLeft(thread) } };
}

function costLeft({ maxCostNanoUsd, nanoUsd, ownMaxCostNanoUsd }: Thread): number | null {
  if (maxCostNanoUsd === null) return ownMaxCostNanoUsd;
  const left = maxCostNanoUsd - nanoUsd;
  if (left <= 0) {
    const expected = `more than the ${formatMoney(nanoUsd)} that the runs of this thread have cost`;
    throw new OptionsError([faultAt('threadMaxCost', maxCostNanoUsd / NANO_USD_PER_USD, expected)]);
  }
  return Math.min(left, ownMaxCostNanoUsd ?? left);
}

/**
 * Throws an `OptionsError` where a cap for the continuation of a run would pass that of its thread, which stays until a
 * message gives another one.
 */
export function assertWithinThread({ thread }: Pick<RunSettings, 'thread'>, run: string, { maxCostNanoUsd }: Wanted) {
  const cap = thread?.maxCostNanoUsd ?? null;
  if (!thread || cap === null || maxCostNanoUsd === undefined) return;
  const left = cap - thread.nanoUsd;
  if (maxCostNanoUsd !== null && maxCostNanoUsd <= left) return;
  const remedy = `Only a message raises that cap: run --continue ${run} --thread-max-cost USD TEXT`;
  const expected = `at most the ${formatMoney(left)} that its thread has left of ${formatMoney(cap)}. ${remedy}`;
  throw new OptionsError([faultAt('maxCost', inUsd(maxCostNanoUsd), expected)]);
}

type Wanted = Pick<Partial<RunSettings['limits']>, 'maxCostNanoUsd'>;
const inUsd = (nanoUsd: number | null) => (nanoUsd === null ? 'none' : nanoUsd / NANO_USD_PER_USD);
