import { z } from 'zod';
import { head } from '../../../text/excerpt.ts';
import { jsonAnswer } from '../json-answer.ts';
import type { Tried } from '../memory.ts';
import { type Found, RULE_SCORES } from './finding-facts.ts';

/** How many ideas one iteration takes from a model. */
const MAX_IDEAS = 10;
const MAX_FILES = 400;
const MAX_FILES_CHARS = 16_000;
const MAX_FOUND = 30;
const MAX_TRIED = 20;
const MAX_LINE_CHARS = 200;

/** What a model may know of a repository when it is asked for ideas. */
export interface Repository {
  /** From the workspace. */
  readonly files: readonly string[];
  /** What the person who started the run wants. */
  readonly goal: string;
  /** What other sources have found. */
  readonly found: readonly Pick<Found, 'title'>[];
  readonly tried: readonly Tried[];
}

/** Asks for ideas of which the other sources know nothing. */
export function ideasPrompt({ files, goal, found, tried }: Repository): string {
  const shown = head(files.slice(0, MAX_FILES).join('\n'), MAX_FILES_CHARS);
  return [
    `Propose at most ${MAX_IDEAS} improvements of the repository below, each small enough for one change and ` +
      'provable by a test or a measurement.',
    ...(goal.trim() === '' ? [] : [`What the maintainer wants:\n${goal}`]),
    `Its files${files.length > MAX_FILES ? ` (the first ${MAX_FILES} of ${files.length})` : ''}:\n${shown}`,
    ...listed(
      'Known already, so do not repeat:',
      found.slice(0, MAX_FOUND).map(({ title }) => title),
    ),
    ...listed(
      'Tried before:',
      tried.slice(-MAX_TRIED).map(({ discovery, refused }) => `${discovery.title}: ${refused ?? 'integrated'}`),
    ),
    'Answer with JSON alone: an array of {"title": TEXT, "summary": TEXT, "score": SCORE, "file": PATH}. SCORE is ' +
      'from 0 to 1; "file" only where one file is meant. An empty array says that there is nothing to improve.',
  ].join('\n\n');
}

const listed = (heading: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`${heading}\n${lines.map((line) => `- ${head(line, MAX_LINE_CHARS)}`).join('\n')}`];

/** What else a model says about an idea is left out. */
const Idea = z.object({
  title: z.string().min(1),
  summary: z.string().min(1),
  score: z.number().min(0).max(1).optional(),
  file: z.string().nullish(),
});

/** The ideas in an answer, at most ten, without those that are not as asked for. Null: none is, or it is no list. */
export function ideasIn(answer: string): readonly Found[] | null {
  const read = z.array(z.unknown()).safeParse(jsonAnswer(answer));
  if (!read.success) return null;
  const ideas = read.data.flatMap((one) => Idea.safeParse(one).data ?? []);
  if (ideas.length === 0 && read.data.length > 0) return null;
  return ideas.slice(0, MAX_IDEAS).map(({ title, summary, score, file }) => ({
    source: 'ideas',
    title,
    summary,
    score: score ?? RULE_SCORES.unscored,
    identity: title.toLowerCase(),
    ...(file == null ? {} : { file }),
  }));
}
