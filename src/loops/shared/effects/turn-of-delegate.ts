import type { Share } from '../../../../machines/events.ts';
import type { Limits, RunSettings } from '../../../../machines/settings.ts';
import type { Delegation } from '../../../actors/tools/delegate.ts';
import { effectiveCap, limitsWithin } from '../../../config/caps.ts';
import { CHILD_GRACE_HEAD_START_MS } from '../../../options/defaults.ts';
import { countingResults } from '../../../detectors/complete-choice.ts';
import { delegationSignature } from '../../../detectors/handoff-cycle.ts';
import type { AgentOptions } from '../../../ports/agents.ts';

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

/** A turn with the delegated task and the agent's options, within a share of what the delegator has left. */
export function settingsOfDelegate(
  { settings, run, effect, delegation, share }: DelegatedWork,
  agent: AgentOptions,
): RunSettings {
  const {
    history: _itsOwn,
    session: _ofItsOwn,
    thread: _itsAccount,
    images: _ofItsPrompt,
    answerSchema: _ofItsAnswer,
    systemVersion,
    ...shared
  } = settings;
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
    ...(agent.system === undefined && systemVersion !== undefined ? { systemVersion } : {}),
    model: agent.model ?? settings.model,
    ...(agent.parameters ? { parameters: { ...settings.parameters, ...agent.parameters } } : {}),
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
