import type { Discovery } from '../../../../machines/improvement-facts.ts';
import { head } from '../../../text/excerpt.ts';
import type { Tried } from '../memory.ts';

const MAX_TRIED = 5;
const MAX_REASON_CHARS = 300;

/** A file, as much of it as a prompt has room for. */
export interface ShownFile {
  readonly path: string;
  readonly text: string;
}

/** What a planner sees of the repository that writes an acceptance test. */
export interface ShownRepository {
  /** Names of files, from the workspace, as many as there is room for. */
  readonly files: string;
  /** Files that the finding is about, as far as that can be told. */
  readonly sources: readonly ShownFile[];
  /** A test of the project, for its style. Null: there is none. */
  readonly example: ShownFile | null;
  /** The reason why the test that the planner wrote before shows nothing. Null: it is asked for the first time. */
  readonly refused: string | null;
}

/**
 * Asks for the plan of one experiment, and with a repository also for its acceptance test. Without one nothing of the
 * files is shown, so the plan stays short.
 */
export function planPrompt(
  candidate: Discovery,
  goal: string,
  tried: readonly Tried[],
  shown: ShownRepository | null = null,
): string {
  const misses = tried.filter(({ refused }) => refused !== null).slice(-MAX_TRIED);
  return [
    'Write a plan for a software engineer who is about to make this improvement in a repository:',
    `${candidate.title}\n\n${candidate.summary}`,
    ...(goal.trim() === '' ? [] : [`What the maintainer wants:\n${goal}`]),
    ...(misses.length === 0 ? [] : [`What was tried before and not kept:\n${misses.map(lineOf).join('\n')}`]),
    ...(shown ? repository(shown) : []),
    'At most ten short steps: where to look, what is likely to be the cause, what to change, how to see that it is ' +
      `done. ${shown ? '' : 'You have not seen the files: '}${shown ? 'Say' : 'say'} what has to be looked up in place of guessing it.`,
    ...(shown ? [ACCEPTANCE, ...(shown.refused === null ? [] : [againText(shown.refused)])] : []),
  ].join('\n\n');
}

const ACCEPTANCE =
  'Then write its acceptance test: one new file of tests, in the style and for the runner of the tests above. It is run ' +
  'before any work is done, and has to fail then, in an assertion. Once the improvement is made, it has to pass. A test ' +
  'that passes today, that cannot be loaded, or that fails by any other error shows nothing: where something is still ' +
  'missing, import its module as a namespace, and assert that it is there. Test what the code does, never its text. ' +
  'End your answer with a line `Test: PATH`, PATH from the top of the files above, and below it the whole file in one ' +
  'block of code. Where no test could show it, leave both out and say why.';

const againText = (refused: string): string =>
  `You have written a test before, and it cannot be used: ${refused}. Write a better one.`;

const repository = ({ files, sources, example }: ShownRepository): readonly string[] => [
  `Its files:\n${files}`,
  ...sources.map(({ path, text }) => `${path}:\n${fenced(text)}`),
  ...(example ? [`A test of the project, ${example.path}:\n${fenced(example.text)}`] : []),
];

const fenced = (text: string): string => `\`\`\`\n${text.trimEnd()}\n\`\`\``;

const lineOf = ({ discovery, refused }: Tried): string =>
  `- ${discovery.title}: ${head(refused ?? '', MAX_REASON_CHARS)}`;
