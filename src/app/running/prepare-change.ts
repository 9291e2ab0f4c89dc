import { type ChangeOptions, resolveChange } from '../../config/change.ts';
import { detectorsOf } from '../../loops/turn/detectors-of.ts';
import { definitionOf } from '../../kernel/loop-definition.ts';
import { loopNamed } from '../../kernel/loop-named.ts';
import { readSummary } from '../../projections/read-summary.ts';
import type { Change } from '../../runtime/extend-run.ts';
import { editedText, type NotFolded, rebuild } from '../../runtime/load-run.ts';
import type { AppHost } from '../app-host.ts';
import { OptionsError } from '../start/options-error.ts';
import { assertRunnable, assertStrategyLoads, pricesOf } from '../start/runnable.ts';
import { assertWithinThread } from '../thread/thread-account.ts';

type PreparedChange =
  | { readonly kind: 'change'; readonly change: Change; readonly warnings: readonly string[] }
  | { readonly kind: 'unknown_run'; readonly run: string }
  | NotFolded;

/** Resolves what a continuation of a run changes. Throws as `preparedRun` does. */
export async function preparedChange(host: AppHost, run: string, options: ChangeOptions): Promise<PreparedChange> {
  const { log, definitions, ceilings, services } = host;
  const folded = await rebuild(log, run, undefined, definitions);
  if (folded.kind === 'unknown_machine' || folded.kind === 'unreadable') return folded;
  const known = await readSummary(log, run, definitions);
  if (!known) return { kind: 'unknown_run', run };
  const loop = definitionOf(known.machine, definitions);
  const resolved = resolveChange(options, known, { ceilings, loop });
  if (resolved.kind === 'refused') throw new OptionsError(resolved.faults);
  const { limits, attemptLimits, strategy = known.settings.strategy } = resolved;
  assertWithinThread(known.settings, run, limits);
  const chosen = resolved.detectors && detectorsOf(resolved.detectors, known.settings);
  const detectors = chosen ?? known.settings.detectors;
  await assertRunnable(host, { ...known.settings, strategy, ...(detectors ? { detectors } : {}) }, loop);
  if (resolved.strategy) await assertStrategyLoads(host, { ...known.settings, strategy });
  const changed = { ...known.settings, limits: { ...known.limits, ...limits } };
  const prices = await pricesOf(host, changed, loop);
  return {
    kind: 'change',
    change: { limits, attemptLimits, strategy: resolved.strategy, detectors: chosen, prices },
    warnings: services.strategies.warnings({ ...changed, strategy: resolved.strategy ?? null }),
  };
}

/** Throws where a run cannot be resumed here. `migrate`: under the newest version of its machine. */
export async function assertResumable(host: AppHost, run: string, migrate: boolean): Promise<void> {
  const { log, definitions, warn } = host;
  const known = await rebuild(log, run, undefined, definitions);
  if (known.kind !== 'loaded') return;
  if (known.edited !== undefined) warn(editedText(run, known.edited));
  const { settings, state } = known;
  const loop = migrate ? loopNamed(settings.loop, definitions) : definitionOf(state.entry.id, definitions);
  await assertRunnable(host, settings, loop);
}
