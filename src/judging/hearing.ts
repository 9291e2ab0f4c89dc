import type { Finding, Heard } from '../../machines/outcome.ts';
import type { Decision } from '../kernel/decision.ts';

/** The detector whose stop is the letter of a document: nobody is asked about it. */
const WITHOUT_RUNGS = 'identical-calls';

/**
 * The finding that is about to end a run and that somebody may be asked about. Null: nothing ends it, or something
 * else does. A finding is asked about once: with an answer it is `heard`.
 */
export function findingToHear(
  { sink }: Decision,
  findings: readonly Finding[],
  heard: readonly Heard[] = [],
): Finding | null {
  if (sink?.ending !== 'doom_loop') return null;
  const { detector } = sink.finding;
  if (detector === WITHOUT_RUNGS || heard.some((one) => one.detector === detector)) return null;
  return findings.find((one) => one.detector === detector && one.level === 'stop') ?? null;
}

/** The findings after what was said about them: one that may go on is only noted. */
export const afterHearing = (findings: readonly Finding[], heard: readonly Heard[]): readonly Finding[] =>
  heard.length === 0
    ? findings
    : findings.map((finding) =>
        finding.level === 'stop' && goesOn(finding.detector, heard) ? { ...finding, level: 'observe' } : finding,
      );

/** Tells whether somebody has let a detector's finding go on. */
export const goesOn = (detector: string, heard: readonly Heard[] = []): boolean =>
  heard.some((one) => one.detector === detector && one.answer === 'go on');

/** A decision with what was heard before it, in its reason, too. */
export function withHearing(decision: Decision, heard: readonly Heard[], usage: Decision['usage']): Decision {
  if (heard.length === 0) return usage ? { ...decision, usage } : decision;
  const said = heard.map(({ detector, by, answer, because }) => {
    const who = by === 'model' ? 'the judge' : 'a person';
    return `${who} was asked about ${detector} and said ${answer}${because === '' ? '' : `: ${because}`}`;
  });
  const reason = [decision.reason, ...said].join('; ');
  return { ...decision, reason, heard: [...heard], ...(usage ? { usage } : {}) };
}
