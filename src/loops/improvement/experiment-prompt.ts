import type { ChildOf } from '../../kernel/child-run.ts';
import { head } from '../../text/excerpt.ts';
import { steeringText } from '../attempt-settings.ts';
import { checksText } from '../checks-text.ts';
import type { ImprovementMemory } from './memory.ts';

/** How many of the newest refused experiments a prompt names. */
const MAX_NAMED_MISSES = 5;
const MAX_REASON_CHARS = 400;

/** What an experiment is told: the finding, a plan where there is one, what has not worked, and how it is judged. */
export function experimentPrompt({ settings, steering, lane }: ChildOf, memory: ImprovementMemory): string {
  const { tried, plans } = memory;
  const candidate = memory.candidate(lane);
  if (!candidate) throw new Error('an experiment begins without a candidate');
  const plan = plans.of(candidate.id);
  const misses = tried.filter(({ refused }) => refused !== null).slice(-MAX_NAMED_MISSES);
  const checks = checksText(settings);
  return [
    `Improve this repository in one respect: ${candidate.title}`,
    candidate.summary,
    `${settings.prompt}${steeringText(steering)}`,
    ...(plan === null ? [] : [`A plan, made from the finding alone:\n${plan}`]),
    ...(misses.length === 0
      ? []
      : [
          [
            'What was tried before in this repository and not kept:',
            ...misses.map(({ discovery, refused }) => `- ${discovery.title}: ${head(refused ?? '', MAX_REASON_CHARS)}`),
          ].join('\n'),
        ]),
    'Change only what this needs. Your work is kept if the finding is gone, nothing that passed before fails now, and ' +
      'no new finding appears. Existing tests, and configuration that checks rest on, stay as they are: put new tests into ' +
      `new files${candidate.source === 'skipped-tests' ? '; here, take out only the mark that skips the test' : ''}. ` +
      'Finish when that holds.',
    ...(checks === null ? [] : [checks]),
  ].join('\n\n');
}
