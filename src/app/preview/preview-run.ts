import type { Price } from '../../../machines/price.ts';
import type { CheckSteps, RunSettings } from '../../../machines/settings.ts';
import { costOf } from '../../budget/cost.ts';
import type { ModelRequest } from '../../actors/model/model.ts';
import { estimate } from '../../actors/model/token-estimate.ts';
import type { RunOptions } from '../../config/options.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { loopNamed } from '../../kernel/loop-named.ts';
import { firstRequest } from '../../loops/first-request.ts';
import type { AppHost } from '../app-host.ts';
import { type PreviewedGrounds, previewedGrounds } from './grounds-preview.ts';
import { previewedSteps } from './preview-steps.ts';
import { previewedSettings } from './settings-preview.ts';
import { roomForRequest } from './room-for-request.ts';

/** What a run would be, before anything of it is recorded, sent or executed. */
export interface Preview {
  readonly settings: RunSettings;
  readonly warnings: readonly string[];
  /** The first request. Null: only its loop knows what it asks. */
  readonly request: ModelRequest | null;
  /** Estimated tokens of that request, at four characters a token. Null without one. */
  readonly inputTokens: number | null;
  /** The price of its model for a request of that length. Null: it is unknown. */
  readonly price: Price | null;
  /** The longest answer that request asks for, in tokens. Null: its provider decides, or there is no request. */
  readonly answerTokens: number | null;
  /** Checks run before the first request, and what fails in them is added to it: that length is not in the estimate. */
  readonly addsBaseline: boolean;
  /** What that request costs before anything is answered. Null: unknown. */
  readonly costNanoUsd: number | null;
  /** The window of its model, in tokens. Null: it is unknown. */
  readonly contextTokens: number | null;
  /** Whether it works in a worktree of its own. */
  readonly isIsolated: boolean;
  /** Where its checks run. Null: it has none. */
  readonly checkIn: 'proof' | 'workspace' | null;
  /** What its checks rest on. Null: none run in a proof. */
  readonly grounds: PreviewedGrounds | null;
  /** The checks of several steps, each of which runs as a check of its own in a proof. */
  readonly steps: readonly CheckSteps[];
}

/**
 * Checks the options of a run as its start does, and says what it would begin with. Throws what its start throws, but
 * for keys of providers: a missing one is a warning.
 */
export async function previewRun(host: AppHost, options: RunOptions): Promise<Preview> {
  const { definitions, services } = host;
  const { settings, warnings, proof, isolated } = await previewedSettings(host, options);
  const loop = loopNamed(settings.loop, definitions);
  const request = asksModel(loop)
    ? firstRequest(settings, { loops: definitions, toolSpecs: services.toolSpecs })
    : null;
  const usage = request && estimate(request, '', []);
  const price = await services.priceOf(settings.model, false, usage ?? undefined);
  const contextTokens = await services.contextTokensOf(settings.model);
  const room = usage && roomForRequest(settings, usage.inputTokens, contextTokens);
  return {
    settings,
    warnings: [...warnings, ...(room?.warnings ?? [])],
    request,
    inputTokens: usage?.inputTokens ?? null,
    answerTokens: room?.answerTokens ?? null,
    addsBaseline: request !== null && proof !== null && settings.checks.length > 0,
    price,
    costNanoUsd: usage && price ? costOf(usage, price) : null,
    contextTokens,
    isIsolated: isolated !== null,
    checkIn: checkPlace(settings, proof !== null),
    grounds: proof ? await previewedGrounds(settings, options) : null,
    steps: proof ? await previewedSteps(settings, loop) : [],
  };
}

/** Whether its first request is known before it runs: its own, or that of a run that it opens. */
const asksModel = ({ conversation, effects }: LoopDefinition): boolean =>
  conversation !== undefined ||
  Object.values(effects).some((spec) => spec.class === 'child' && spec.opens && !spec.opensLater);

function checkPlace({ checks }: RunSettings, isProven: boolean): Preview['checkIn'] {
  if (checks.length === 0) return null;
  return isProven ? 'proof' : 'workspace';
}
