import type { ToolCall } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import { type Detector, eventId, type Logged, type LoggedEvent, type Noticed } from './detector.ts';
import { FRESH_STARTS, isFreshStart } from './fresh-start.ts';
import { repetitionOf, togetherOf } from './signature.ts';
import { strongest } from './strongest.ts';
import type { TraitsOf } from './traits.ts';

/** The types of the events that a detector of answers looks at. */
export const ANSWERS: ReadonlySet<LoggedEvent['type']> = new Set(['model.completed', ...FRESH_STARTS]);

/** The calls of an answer that count as repetitions, each once, as one step. */
export interface AskedStep {
  /** Equal for the same calls in any order. */
  readonly signature: string;
  /** The signature of each call. */
  readonly signatures: readonly string[];
  /** Their names, each once. */
  readonly tool: string;
  /** The id of the answer. */
  readonly id: string;
  readonly calls: readonly ToolCall[];
}

/** The state and the findings after one step. Null: all its calls are exempt, or poll. */
type AfterStep<State> = (
  before: State,
  step: AskedStep | null,
) => { readonly state: State; readonly findings: readonly Finding[] };

/**
 * A detector that looks at what the model asks for, answer by answer, and begins anew with a user message. It reports
 * the strongest finding of an answer.
 */
export function answerByAnswer<State>(
  name: string,
  start: State,
  traits: TraitsOf,
  afterStep: AfterStep<State>,
): Detector<State> {
  return {
    name,
    sees: ANSWERS,
    init: () => start,
    step: (before, event): Noticed<State> => {
      if (isFreshStart(event)) return { state: start };
      if (event.type !== 'model.completed' || event.payload.calls.length === 0) return { state: before };
      const { state, findings } = afterStep(before, askedStep(event, traits));
      return { state, ...strongest(findings) };
    },
  };
}

/** Detectors ask for the step of the same answer, one after the other: it is made once. */
let newest: { event: LoggedEvent; traits: TraitsOf; step: AskedStep | null } | null = null;

function askedStep(event: Logged<'model.completed'>, traits: TraitsOf): AskedStep | null {
  if (newest?.event === event && newest.traits === traits) return newest.step;
  const step = stepIn(event.payload.calls, eventId(event), traits);
  newest = { event, traits, step };
  return step;
}

function stepIn(calls: readonly ToolCall[], id: string, traits: TraitsOf): AskedStep | null {
  const counted = calls.flatMap((call) => {
    const signature = repetitionOf(call, traits(call.tool));
    return signature === null ? [] : [{ call, signature }];
  });
  if (counted.length === 0) return null;
  const signatures = [...new Set(counted.map(({ signature }) => signature))];
  const tool = [...new Set(counted.map(({ call }) => call.tool))].join(', ');
  return { signature: togetherOf(signatures), signatures, tool, id, calls: counted.map(({ call }) => call) };
}
