import type { Discovery } from '../../../../machines/improvement-facts.ts';
import type { Block } from '../../../kernel/report-page.ts';
import { head } from '../../../text/excerpt.ts';
import type { ToldRun } from './told-run.ts';

const MAX_REASON_CHARS = 600;

/** What was tried and not kept, with who refused it and why, and candidates that were not tried. */
export function refusedBlocks({ experiments, options }: ToldRun): readonly Block[] {
  const refused = experiments.tried.flatMap(({ refusal, ...one }) => (refusal ? [{ ...one, refusal }] : []));
  const table: Block = {
    kind: 'table',
    columns: [
      { name: 'iteration', isNumber: true },
      { name: 'change' },
      { name: 'found by' },
      { name: 'refused by' },
      { name: 'why' },
    ],
    rows: refused.map(({ iteration, discovery, refusal }) => [
      `${iteration}`,
      discovery.title,
      discovery.source,
      { text: refusal.by, tone: 'bad' },
      head(refusal.reason, MAX_REASON_CHARS),
    ]),
  };
  const none: Block = { kind: 'text', text: 'Nothing that was tried was refused.' };
  return [
    { kind: 'heading', text: 'What was tried and not kept' },
    refused.length === 0 ? none : table,
    ...leftBlocks(experiments.left, options.phases.experiment.enabled),
  ];
}

/** Candidates of the last iteration. Earlier ones are found again by the next iteration. */
function leftBlocks(left: readonly Discovery[], hasExperiments: boolean): readonly Block[] {
  if (left.length === 0) return [];
  const why = hasExperiments ? 'These candidates were not tried:' : 'Experiments are off. These are the candidates:';
  return [
    { kind: 'text', text: why },
    {
      kind: 'table',
      columns: [{ name: 'candidate' }, { name: 'found by' }, { name: 'relevance', isNumber: true }],
      rows: left.map(({ title, source, relevanceScore }) => [title, source, relevanceScore.toFixed(2)]),
    },
  ];
}
