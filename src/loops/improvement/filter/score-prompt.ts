import { z } from 'zod';
import type { Discovery } from '../../../../machines/improvement-facts.ts';
import { head } from '../../../text/excerpt.ts';
import { jsonAnswer } from '../json-answer.ts';

const MAX_SUMMARY_CHARS = 300;

/** Asks for the relevance of findings. `goal`: what the person who started the run wants, in their words. */
export function scoringPrompt(discoveries: readonly Discovery[], goal: string): string {
  return [
    'Below are findings about a repository that could be improved. Say how relevant each is: how much an engineer ' +
      'who maintains it would gain, and how sure it is that a small change removes it.',
    ...(goal.trim() === '' ? [] : [`What the maintainer wants:\n${goal}`]),
    discoveries.map(lineOf).join('\n'),
    'Answer with JSON alone: an array with one object for each finding, {"finding": NUMBER, "score": SCORE}, where ' +
      'SCORE is from 0 (irrelevant) to 1 (to be done first).',
  ].join('\n\n');
}

function lineOf({ source, title, summary, relevanceScore }: Discovery, index: number): string {
  const more = head(summary.replace(/\s+/g, ' '), MAX_SUMMARY_CHARS);
  return `${index + 1}. [${source}, ${relevanceScore} by rule] ${title}${more === title ? '' : ` — ${more}`}`;
}

/** What else a model says about a finding, such as its reasons, is left out. */
const Scores = z.array(z.object({ finding: z.int().min(1), score: z.number().min(0).max(1) }));

/**
 * The scores in an answer, by the id of the discovery; those that it leaves out keep the score of their rule. Null: the
 * answer is not what was asked for, or scores something that was not listed, or twice.
 */
export function scoresIn(answer: string, discoveries: readonly Discovery[]): ReadonlyMap<string, number> | null {
  const read = Scores.safeParse(jsonAnswer(answer));
  if (!read.success || read.data.length === 0) return null;
  const scores = new Map<string, number>();
  for (const { finding, score } of read.data) {
    const id = discoveries[finding - 1]?.id;
    if (id === undefined || scores.has(id)) return null;
    scores.set(id, score);
  }
  return scores;
}
