import type { Score } from '../../src/redecide/lab-stories.ts';
import type { Story } from '../../src/redecide/story.ts';
import { TRANSCRIPTS } from './stories/transcript.ts';

const titleOf = ({ detector, story, seed }: Story) => `${detector}: ${story} ${seed}`;

/** Stories, and how the detectors did on them. */
export interface Scored {
  readonly stories: readonly Story[];
  readonly scores: readonly Score[];
}

/** Every kind of transcript with how many there are, and in how many of them the detectors together ended the run. */
export function storyKinds({ scores, stories: corpus }: Scored): string {
  const all = scores.filter(({ detector }) => detector === 'all');
  const healthyEnded = new Set(all.flatMap(({ mistaken }) => mistaken));
  const notEnded = new Set(all.flatMap(({ unended }) => unended));
  const stories = corpus.filter(({ detector }) => detector === TRANSCRIPTS);
  const isEnded = (story: Story) =>
    story.label === 'loop' ? !notEnded.has(titleOf(story)) : healthyEnded.has(titleOf(story));
  const rows = (['loop', 'lookalike'] as const).flatMap((label) => {
    const kinds = [...new Set(stories.filter((one) => one.label === label).map(({ story }) => story))];
    return kinds.toSorted().map((kind) => {
      const those = stories.filter(({ story }) => story === kind);
      const of = (isApart: boolean) => {
        const some = those.filter((one) => one.isApart === isApart);
        return some.length === 0 ? '' : `${some.filter(isEnded).length} of ${some.length}`;
      };
      return `| ${label === 'loop' ? 'stuck' : 'healthy'} | ${kind} | ${of(false)} | ${of(true)} |`;
    });
  });
  return ['|  | story | ended, to tune by | ended, kept apart |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
