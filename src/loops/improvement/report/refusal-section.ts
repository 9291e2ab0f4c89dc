import type { Block } from '../../../kernel/report-page.ts';
import { head } from '../../../text/excerpt.ts';
import { FINISHED } from '../evaluation/experiment-end.ts';
import type { ImprovementNight } from './improvement-night.ts';
import type { RefusedCandidate } from './night-candidates.ts';

const MAX_REASON_CHARS = 600;

/** What was tried and not kept, with what refused it and why, and candidates that were not tried. */
export function refusedBlocks(night: ImprovementNight): readonly Block[] {
  const { refused } = night;
  const ends = refused.map((one) => endOf(one, night));
  const hasEnds = ends.some((end) => end !== '');
  const table: Block = {
    kind: 'table',
    columns: [
      { name: 'iteration', isNumber: true },
      { name: 'change' },
      { name: 'found by' },
      { name: 'refused by' },
      { name: 'why' },
      ...(hasEnds ? [{ name: 'how its experiment ended' }] : []),
    ],
    rows: refused.map(({ iteration, finding, by, reason }, index) => [
      `${iteration}`,
      finding.title,
      finding.source,
      { text: by === 'ended' ? 'its own agent' : by, tone: 'bad' },
      head(reason, MAX_REASON_CHARS),
      ...(hasEnds ? [ends[index] || '-'] : []),
    ]),
  };
  const none: Block = { kind: 'text', text: 'Nothing that was tried was refused.' };
  return [
    { kind: 'heading', text: 'What was tried and not kept' },
    refused.length === 0 ? none : table,
    ...leftBlocks(night),
  ];
}

/** How an experiment ended, where it did not simply finish, and what becomes of its work. Empty: nothing to say. */
function endOf(one: RefusedCandidate, night: ImprovementNight): string {
  const { ended, reason } = one;
  const how = ended === null || ended === FINISHED || reason.includes(ended) ? '' : head(ended, MAX_REASON_CHARS);
  return [...(how === '' ? [] : [how]), ...(one.goesOn ? [goesOnText(one, night)] : [])].join('; ');
}

/** A finding has the same id in every iteration. */
function goesOnText({ iteration, finding }: RefusedCandidate, { kept, notShown, refused, ending }: ImprovementNight) {
  const next = [...kept, ...notShown, ...refused]
    .filter((one) => one.finding.id === finding.id && one.iteration > iteration)
    .map((one) => one.iteration);
  if (next.length > 0) return `it went on in iteration ${Math.min(...next)}`;
  return ending ? 'the run ended before it went on' : 'it goes on in a later iteration';
}

/** Candidates of the last iteration. Earlier ones are found again by the next iteration. */
function leftBlocks({ left, options }: ImprovementNight): readonly Block[] {
  if (left.length === 0) return [];
  const why = options.experiments
    ? 'These candidates were not tried:'
    : 'Experiments are off. These are the candidates:';
  return [
    { kind: 'text', text: why },
    {
      kind: 'table',
      columns: [{ name: 'candidate' }, { name: 'found by' }, { name: 'relevance', isNumber: true }],
      rows: left.map(({ title, source, relevanceScore }) => [title, source, relevanceScore.toFixed(2)]),
    },
  ];
}
