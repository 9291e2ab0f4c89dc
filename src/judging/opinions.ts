import type { Finding, Opinion } from '../../machines/outcome.ts';
import type { Decision } from '../kernel/decision.ts';

/** The detector whose stop is the letter of a document: no model and no person is asked about it. */
const WITHOUT_RUNGS = 'identical-calls';

/**
 * The finding that is about to end a run and that a model or a person may be asked about. Null: nothing ends it, or
 * something else does. A finding is asked about once: `opinions` are the answers so far.
 */
export function findingToAsk(
  { sink }: Decision,
  findings: readonly Finding[],
  opinions: readonly Opinion[] = [],
): Finding | null {
  if (sink?.ending !== 'doom_loop') return null;
  const { detector } = sink.finding;
  if (detector === WITHOUT_RUNGS || opinions.some((one) => one.detector === detector)) return null;
  return findings.find((one) => one.detector === detector && one.level === 'stop') ?? null;
}

/** The findings after what was said about them: one that may go on is only noted. */
export const withoutForgiven = (findings: readonly Finding[], opinions: readonly Opinion[]): readonly Finding[] =>
  opinions.length === 0
    ? findings
    : findings.map((finding) =>
        finding.level === 'stop' && goesOn(finding.detector, opinions) ? { ...finding, level: 'observe' } : finding,
      );

/** Tells whether an opinion lets a detector's finding go on. */
export const goesOn = (detector: string, opinions: readonly Opinion[] = []): boolean =>
  opinions.some((one) => one.detector === detector && one.answer === 'go on');

/** A decision with the opinions that came before it, in its reason, too. */
export function withOpinions(decision: Decision, opinions: readonly Opinion[], usage: Decision['usage']): Decision {
  if (opinions.length === 0) return usage ? { ...decision, usage } : decision;
  const said = opinions.map(({ detector, by, answer, because }) => {
    const who = by === 'person' ? 'a person' : 'the judge';
    return `${who} was asked about ${detector} and said ${answer}${because === '' ? '' : `: ${because}`}`;
  });
  const reason = [decision.reason, ...said].join('; ');
  return { ...decision, reason, opinions: [...opinions], ...(usage ? { usage } : {}) };
}
