import type { EventOf, ToolCall } from '../../machines/events.ts';
import type { Fact } from '../runtime/cast.ts';

/** Something a run waits for a person to answer. */
export interface Question {
  readonly run: string;
  /** `step.index`: unique among the open questions of a run. */
  readonly callId: string;
  /** `access`: leave to read `path`, which is granted or refused rather than answered. */
  readonly kind: 'question' | 'access';
  /** The question, or why access is wanted. */
  readonly text: string;
  /** Suggestions; the answer may be another. */
  readonly choices: readonly string[];
  /** What is to be read, as the model said it. Null for a question. */
  readonly path: string | null;
  readonly askedAt: string;
  /** The id (`RUN/version`) of the event that let the question through. */
  readonly event: string;
}

export interface OpenQuestions {
  /** The newest answer's calls. */
  readonly calls: readonly ToolCall[];
  /** Oldest first. */
  readonly open: readonly Omit<Question, 'run'>[];
}

export const NO_QUESTIONS: OpenQuestions = { calls: [], open: [] };

/** The one tool that is answered with leave to read, not in words. */
const ACCESS = 'request_read_access';

/**
 * What a run asks people after one more of its facts.
 *
 * @example
 * let questions = NO_QUESTIONS;
 * for await (const envelope of log.read(run)) questions = openQuestions(questions, factOf(envelope));
 */
export function openQuestions(questions: OpenQuestions, fact: Fact): OpenQuestions {
  switch (fact.type) {
    case 'model.completed':
      return { calls: fact.payload.calls, open: [] };
    case 'calls.admitted':
      return { ...questions, open: asked(questions.calls, fact) };
    case 'person.answered':
    case 'tool.completed':
    case 'tool.failed':
    case 'tool.interrupted': {
      const { callId } = fact.payload;
      return { ...questions, open: questions.open.filter((one) => one.callId !== callId) };
    }
    case 'abort.requested':
      return NO_QUESTIONS;
    case 'timer.fired':
      return fact.payload.timer === 'deadline' ? NO_QUESTIONS : questions;
    default:
      return questions;
  }
}

function asked(calls: readonly ToolCall[], { payload, run, version, at }: Fact & EventOf<'calls.admitted'>) {
  return payload.run.flatMap(({ callId, actor }) => {
    const call = actor === 'askPerson' ? calls.find((one) => one.callId === callId) : undefined;
    return call ? [{ callId, ...askedIn(call), askedAt: at, event: `${run}/${version}` }] : [];
  });
}

/** What to call a question by: its call's id, together with its run where another run asks under the same id. */
export const callName = ({ run, callId }: Pick<Question, 'run' | 'callId'>, open: readonly Pick<Question, 'run' | 'callId'>[]): string =>
  open.some((one) => one.callId === callId && one.run !== run) ? `${run}/${callId}` : callId;

/** What a call asks a person, in its own words. */
export function askedIn({ tool, arguments: given }: ToolCall): Pick<Question, 'kind' | 'text' | 'choices' | 'path'> {
  const { question, choices, path, reason } = Object(given) as { readonly [name: string]: unknown };
  if (tool === ACCESS) return { kind: 'access', text: String(reason), choices: [], path: String(path) };
  const text = typeof question === 'string' ? question : `${tool}: ${JSON.stringify(given)}`;
  return { kind: 'question', text, choices: Array.isArray(choices) ? choices.map(String) : [], path: null };
}
