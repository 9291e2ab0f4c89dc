import type { Share } from '../../../../machines/events.ts';
import type { Limits, RunSettings } from '../../../../machines/settings.ts';
import { attempt } from '../../../actors/bounded-work.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import type { Delegation } from '../../../actors/tools/delegate.ts';
import { effectiveCap, limitsWithin } from '../../../config/caps.ts';
import { CHILD_GRACE_HEAD_START_MS } from '../../../config/defaults.ts';
import { faultSentence } from '../../../text/config-fault.ts';
import { countingResults } from '../../../detectors/complete-choice.ts';
import { delegationSignature } from '../../../detectors/handoff-cycle.ts';
import type { ChildSettings } from '../../../kernel/effect-handlers.ts';
import type { AgentLookup, AgentOptions } from '../agents.ts';
import { knownPrices } from '../known-prices.ts';
import type { ModelServices } from '../services/model-services.ts';

/** The time limit for finding an agent and loading its model. */
const AGENT_LIMIT_MS = 30_000;

export interface DelegatedWork {
  /** The settings of the delegating run. */
  readonly settings: RunSettings;
  readonly run: string;
  /** Full id of the effect that opens the child. */
  readonly effect: string;
  readonly callId: string;
  readonly delegation: Delegation;
  readonly share: Share;
}

type Found =
  | { readonly kind: 'settings'; readonly settings: RunSettings }
  | { readonly kind: 'none'; readonly code: string; readonly message: string };
/** What it takes to find an agent and to price its model. */
export interface AgentSources extends Pick<ModelServices, 'loadModel' | 'priceOf'> {
  readonly agents: AgentLookup;
}

/** The settings of the run that does delegated work; or the failed call, where its agent cannot be used. */
export async function delegatedSettings(
  of: DelegatedWork,
  sources: AgentSources,
  call: EffectCall,
): Promise<ChildSettings> {
  const { agent: name } = of.delegation;
  if (name === undefined) return { kind: 'settings', settings: settingsOf(of, {}) };
  const { settled } = await attempt(() => found(name, of, sources), {
    timeoutMs: AGENT_LIMIT_MS,
    graceMs: 0,
    signal: call.signal,
  });
  const answer = settled.kind === 'returned' ? settled.value : unavailable(name, settled);
  if (answer.kind === 'settings') return answer;
  const { code, message } = answer;
  return { kind: 'refused', event: { type: 'tool.failed', payload: { callId: of.callId, fault: { code, message } } } };
}

async function found(name: string, of: DelegatedWork, { agents, loadModel, priceOf }: AgentSources): Promise<Found> {
  const answer = await agents(name, of.settings);
  if (answer.kind === 'refused') return { kind: 'none', code: 'agent_unavailable', message: answer.reason };
  if (answer.kind === 'unknown') {
    const known =
      answer.known.length === 0 ? 'there are none: leave agent out' : `there are: ${answer.known.join(', ')}`;
    return { kind: 'none', code: 'agent_unknown', message: `there is no agent ${JSON.stringify(name)}; ${known}` };
  }
  const settings = settingsOf(of, { name, ...answer.agent });
  if (answer.agent.model !== undefined) await loadModel(answer.agent.model);
  const prices = await knownPrices(settings, { priceOf });
  if (prices.kind === 'known')
    return { kind: 'settings', settings: prices.prices ? { ...settings, prices: prices.prices } : settings };
  return {
    kind: 'none',
    code: 'price_unknown',
    message: `the agent ${name}: ${prices.faults.map(faultSentence).join('; ')}`,
  };
}

function unavailable(
  name: string,
  how: { readonly kind: 'threw'; readonly error: unknown } | { readonly kind: 'silent' },
): Found {
  const why =
    how.kind === 'silent'
      ? `it was not found within ${AGENT_LIMIT_MS} ms`
      : String(Object(how.error).message ?? how.error);
  return {
    kind: 'none',
    code: 'agent_unavailable',
    message: `the agent ${JSON.stringify(name)} cannot be used: ${why}`,
  };
}

/** A turn with the delegated task and the agent's options, within a share of what the delegator has left. */
function settingsOf({ settings, run, effect, delegation, share }: DelegatedWork, agent: AgentOptions): RunSettings {
  const { history: _itsOwn, ...shared } = settings;
  const { limits, parent, graceMs } = settings;
  // It is stopped with its delegator, so it needs no time limit of its own.
  const own: Limits = {
    maxSteps: effectiveCap(share.steps ?? null, agent.maxSteps ?? limits.maxSteps),
    maxToolCalls: effectiveCap(share.toolCalls ?? null, agent.maxToolCalls ?? limits.maxToolCalls),
    maxTokens: share.tokens,
    maxCostNanoUsd: share.nanoUsd,
    maxTimeMs: null,
    maxIterations: null,
  };
  const signature = delegationSignature({ agent: settings.agent ?? '', task: settings.prompt });
  return {
    ...shared,
    loop: 'turn',
    prompt: delegation.task,
    system: agent.system === undefined ? settings.system : agent.system,
    model: agent.model ?? settings.model,
    agent: agent.name ?? settings.agent ?? null,
    // An agent of its own counts results, also where the turn that delegates to it does not.
    ...(agent.name !== undefined && settings.detectors ? { detectors: countingResults(settings.detectors) } : {}),
    tools: [...(agent.tools ?? settings.tools)],
    limits: limitsWithin(own, { ...limits, maxTokens: share.tokens, maxCostNanoUsd: share.nanoUsd }),
    attemptLimits: null,
    checks: [],
    ci: null,
    strategy: null,
    summaryTokens: 0,
    stateDirectory: null,
    // It must end before its delegator's grace is over: 5 s earlier, or after half of the grace if that is longer.
    graceMs: Math.max(graceMs - CHILD_GRACE_HEAD_START_MS, Math.floor(graceMs / 2)),
    parent: { run, effect, iteration: parent?.iteration ?? 0, lineage: [...(parent?.lineage ?? []), signature] },
  };
}
