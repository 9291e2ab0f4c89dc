import type { Discovery } from '../../../../machines/improvement-facts.ts';
import { head } from '../../../text/excerpt.ts';
import type { Tried } from '../memory.ts';

const MAX_TRIED = 5;
const MAX_REASON_CHARS = 300;

/** Asks for the plan of one experiment. It is written without a look at the files, so it stays short. */
export function planPrompt(candidate: Discovery, goal: string, tried: readonly Tried[]): string {
  const misses = tried.filter(({ refused }) => refused !== null).slice(-MAX_TRIED);
  return [
    'Write a plan for a software engineer who is about to make this improvement in a repository:',
    `${candidate.title}\n\n${candidate.summary}`,
    ...(goal.trim() === '' ? [] : [`What the maintainer wants:\n${goal}`]),
    ...(misses.length === 0 ? [] : [`What was tried before and not kept:\n${misses.map(lineOf).join('\n')}`]),
    'At most ten short steps: where to look, what is likely to be the cause, what to change, how to see that it is ' +
      'done. You have not seen the files: say what has to be looked up in place of guessing it.',
  ].join('\n\n');
}

const lineOf = ({ discovery, refused }: Tried): string =>
  `- ${discovery.title}: ${head(refused ?? '', MAX_REASON_CHARS)}`;
