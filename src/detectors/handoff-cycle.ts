import { hash } from 'node:crypto';
import { z } from 'zod';
import type { ToolCall } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { head } from '../text/excerpt.ts';
import { type Detector, eventId, type Logged, type Noticed } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { type Delegation, noTraits, type ToolTraits, type TraitsOf } from './traits.ts';

/** Remembered agents above a run. No run nests deeper. */
const MAX_CHAIN = 50;
const MAX_TASK_CHARS = 120;

/** The tasks that were delegated on the way to a run, its own last. */
export interface Chain {
  readonly signatures: readonly string[];
  /** The agent of the run. A call that names no agent delegates to another one of the same. */
  readonly agent: string;
  /** The event that says so. */
  readonly evidence: string | null;
}

/** Equal for the same task of the same agent, whatever the white space and the letter case of the agent's name. */
export const delegationSignature = ({ agent, task }: Delegation): string =>
  hash('sha256', JSON.stringify([agent.toLowerCase(), task.trim().split(/\s+/)]));

/**
 * D12: a task is delegated to an agent that already has it (A → B → C → A). That call is blocked, the other calls of
 * the answer are not.
 */
export function handoffCycle(traits: TraitsOf = noTraits): Detector<Chain> {
  return {
    name: 'handoff-cycle',
    sees: new Set(['run.started', 'model.completed']),
    init: () => ({ signatures: [], agent: '', evidence: null }),
    step: (state, event) => {
      if (event.type === 'run.started') return { state: chainTo(event.payload.settings, eventId(event)) };
      return event.type === 'model.completed' ? afterCalls(state, event, traits) : { state };
    },
  };
}

function chainTo({ parent, agent, prompt }: RunSettings, evidence: string): Chain {
  const own = delegationSignature({ agent: agent ?? '', task: prompt });
  return { signatures: [...(parent?.lineage ?? []), own].slice(-MAX_CHAIN), agent: agent ?? '', evidence };
}

function afterCalls(state: Chain, event: Logged<'model.completed'>, traits: TraitsOf): Noticed<Chain> {
  const circling = event.payload.calls.flatMap(({ callId, tool, arguments: given }) => {
    const delegation = delegationOf(traits(tool), given);
    return delegation &&
      state.signatures.includes(delegationSignature({ ...delegation, agent: delegation.agent || state.agent }))
      ? [{ callId, delegation }]
      : [];
  });
  const [first] = circling;
  if (!first) return { state };
  const { agent, task } = first.delegation;
  const finding: Finding = {
    detector: 'handoff-cycle',
    level: 'block',
    count: circling.length,
    message: `${agent || 'this agent'} already has this task and waits for its result: ${head(task, MAX_TASK_CHARS)}`,
    evidence: [...(state.evidence ? [state.evidence] : []), eventId(event)],
    calls: circling.map(({ callId }) => callId),
  };
  return { state, finding };
}

/**
 * The delegation that a call asks for; null where it asks for none. The tool's own function may meet arguments that no
 * schema has checked, so it may throw or return anything.
 */
export function delegationOf({ handoff }: ToolTraits, given: ToolCall['arguments']): Delegation | null {
  try {
    const { agent, task } = Object(handoff?.(given));
    return typeof agent === 'string' && typeof task === 'string' ? { agent, task } : null;
  } catch {
    return null;
  }
}

export const handoffCycleKind = detectorKind({
  name: 'handoff-cycle',
  row: 'D12',
  notices: 'a task is delegated to an agent that already has it',
  config: z.strictObject({}),
  inDefault: true,
  create: (_config, traits) => handoffCycle(traits),
});
