import type { DetectorChoice } from '../../machines/settings.ts';
import { bySource, scoreOf, type SourceScore } from './others/by-source.ts';
import { shapes } from './others/shape.ts';
import { SOURCES } from './others/sources.ts';
import { corpusStories } from './stored.ts';
import { TRANSCRIPTS } from './stories/transcript.ts';

const OURS = 'told by the authors of the detectors';
const HEADING = [
  'source',
  'agent',
  'verifier',
  'healthy',
  'of them stopped',
  'stuck',
  'of them stopped',
  'median step of the stop',
  'tokens saved',
];

/** The results of the detectors together, one row a source: our own stories, and the trajectories of other agents. */
export async function sourceTable(detectors: readonly DetectorChoice[]): Promise<string> {
  const stories = corpusStories();
  const transcripts = stories.filter(({ detector }) => detector === TRANSCRIPTS);
  const single = stories.filter(({ detector }) => detector !== TRANSCRIPTS);
  const ours = [
    await scoreOf('ours: about one detector each', single, detectors),
    await scoreOf(
      'ours: to tune by',
      transcripts.filter(({ isApart }) => !isApart),
      detectors,
    ),
    await scoreOf(
      'ours: kept apart',
      transcripts.filter(({ isApart }) => isApart),
      detectors,
    ),
  ];
  const others = await bySource(shapes(), detectors);
  const rows = [
    ...ours.map((score) => rowOf(score, OURS, 'the label of its kind')),
    ...others.map((score) => {
      const { repository, agent, verifier } = SOURCES[score.source as keyof typeof SOURCES];
      return rowOf({ ...score, source: `others: [${repository}](https://github.com/${repository})` }, agent, verifier);
    }),
  ];
  return [HEADING, HEADING.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`).join('\n');
}

const rowOf = (score: SourceScore, agent: string, verifier: string): readonly string[] => {
  const { source, healthy, healthyStopped, stoppedBy, stuck, stuckStopped, medianStep, saved, tokens } = score;
  const step = medianStep === null ? '-' : `${medianStep}`;
  const share = tokens === 0 ? '-' : `${Math.round((saved / tokens) * 100)} %`;
  const mistaken = [`${healthyStopped}`, ...stoppedBy.map((name) => `by \`${name}\``)].join(' ');
  return [source, agent, verifier, `${healthy}`, mistaken, `${stuck}`, `${stuckStopped}`, step, share];
};
