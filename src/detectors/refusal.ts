import type { ToolCall } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import { type Detector, eventId, type LoggedEvent, type Noticed, type Refusal } from './detector.ts';
import { ANSWERS } from './answer-by-answer.ts';
import { withEvidence } from './evidence-ids.ts';
import { isFreshStart } from './fresh-start.ts';
import { actionOf } from './signature.ts';
import { strongest } from './strongest.ts';
import type { TraitsOf } from './traits.ts';

export interface Refusing<State> {
  readonly inner: State;
  /** The reason to refuse the next call like it. Null: there is none. */
  readonly due: Refusal | null;
}

const MAX_EVIDENCE = 50;

/**
 * A detector with the second rung of the ladder: between its nudge and its stop, the next call that goes on like before
 * is refused once, with the reason. What such a call is, the detector says: an action, or any call of a tool.
 */
export function withRefusal<State>(inner: Detector<State>, traits: TraitsOf): Detector<Refusing<State>> {
  return {
    name: inner.name,
    ...(inner.sees ? { sees: new Set([...inner.sees, ...ANSWERS]) } : {}),
    init: () => ({ inner: inner.init(), due: null }),
    step: (before, event): Noticed<Refusing<State>> => {
      const { state, finding, refusal } = inner.step(before.inner, event);
      const standing = refusal === undefined ? before.due : refusal;
      const due = isFreshStart(event) ? null : standing;
      const block = due === before.due && due ? blockIn(event, due, traits) : null;
      const found = [...(finding ? [finding] : []), ...(block ? [block] : [])];
      if (state === before.inner && due === before.due && found.length === 0) return { state: before };
      const isOver = block !== null || finding?.level === 'stop';
      return { state: { inner: state, due: isOver ? null : due }, ...strongest(found) };
    },
  };
}

function blockIn(event: LoggedEvent, { finding, actions, tools }: Refusal, traits: TraitsOf): Finding | null {
  if (event.type !== 'model.completed') return null;
  const goesOn = (call: ToolCall) =>
    tools.includes(call.tool) || (actions.length > 0 && actions.includes(actionOf(call, traits(call.tool))));
  const calls = event.payload.calls.filter(goesOn).map(({ callId }) => callId);
  if (calls.length === 0) return null;
  return {
    ...finding,
    level: 'block',
    calls,
    evidence: [...withEvidence(finding.evidence, eventId(event), MAX_EVIDENCE)],
  };
}
