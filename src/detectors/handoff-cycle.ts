import { hash } from 'node:crypto';
import { z } from 'zod';
import type { ToolCall } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { head } from '../config/excerpt.ts';
import { type Detector, eventId, type Logged, type Noticed } from './detector.ts';
import { detectorKind } from './kind.ts';
import { type Handoff, noTraits, type ToolTraits, type TraitsOf } from './traits.ts';

/** More agents than this one below the other are not remembered: no run nests so deep. */
const MAX_CHAIN = 50;
const MAX_TASK_CHARS = 120;

/** What a run was handed on its way: its own task last. */
export interface Chain {
  readonly signatures: readonly string[];
  /** Whose run it is: whoever names nobody hands work to their like. */
  readonly agent: string;
  /** The fact that says so. */
  readonly evidence: string | null;
}

/** Equal for the same task in the hands of the same agent, however it is spaced, and whatever the letter case of the name. */
export const handoffSignature = ({ agent, task }: Handoff): string =>
  hash('sha256', JSON.stringify([agent.toLowerCase(), task.trim().split(/\s+/)]));

/**
 * D12: work is handed to an agent that has been handed the very same on the way here (A → B → C → A). The call is
 * blocked; nothing else of the answer is.
 */
export function handoffCycle(traits: TraitsOf = noTraits): Detector<Chain> {
  return {
    name: 'handoff-cycle',
    init: () => ({ signatures: [], agent: '', evidence: null }),
    step: (state, event) => {
      if (event.type === 'run.started') return { state: chainTo(event.payload.settings, eventId(event)) };
      return event.type === 'model.completed' ? afterCalls(state, event, traits) : { state };
    },
  };
}

function chainTo({ parent, agent, prompt }: RunSettings, evidence: string): Chain {
  const own = handoffSignature({ agent: agent ?? '', task: prompt });
  return { signatures: [...(parent?.lineage ?? []), own].slice(-MAX_CHAIN), agent: agent ?? '', evidence };
}

function afterCalls(state: Chain, event: Logged<'model.completed'>, traits: TraitsOf): Noticed<Chain> {
  const circling = event.payload.calls.flatMap(({ callId, tool, arguments: given }) => {
    const handoff = handedOver(traits(tool), given);
    return handoff && state.signatures.includes(handoffSignature({ ...handoff, agent: handoff.agent || state.agent })) ? [{ callId, handoff }] : [];
  });
  const [first] = circling;
  if (!first) return { state };
  const { agent, task } = first.handoff;
  const finding: Finding = {
    detector: 'handoff-cycle',
    level: 'block',
    count: circling.length,
    message: `${agent || 'this agent'} has this task already, and waits for its result: ${head(task, MAX_TASK_CHARS)}`,
    evidence: [...(state.evidence ? [state.evidence] : []), eventId(event)],
    calls: circling.map(({ callId }) => callId),
  };
  return { state, finding };
}

/** Whom a call hands work to. A tool's own function may meet arguments that no schema has passed: it may throw, or talk nonsense. */
export function handedOver({ handoff }: ToolTraits, given: ToolCall['arguments']): Handoff | null {
  try {
    const { agent, task } = Object(handoff?.(given));
    return typeof agent === 'string' && typeof task === 'string' ? { agent, task } : null;
  } catch {
    return null;
  }
}

export const handoffCycleKind = detectorKind({
  name: 'handoff-cycle',
  config: z.strictObject({}),
  create: (_config, traits) => handoffCycle(traits),
});
