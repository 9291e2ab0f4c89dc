import type { Witness } from '../../../../machines/improvement-facts.ts';
import type { Cell, Table } from '../../../kernel/report-page.ts';
import { head } from '../../../text/excerpt.ts';
import { isUnshown } from './candidate-refusal.ts';
import type { Experiment } from './experiments.ts';
import type { LeftCandidate } from './night-candidates.ts';
import { WITNESS_NAMES } from './witness-text.ts';

const MAX_CHARS = 300;

/** What became of every candidate, in the order in which they were tried: kept, not shown, refused, or not tried. */
export function candidateOverview(tried: readonly Experiment[], left: readonly LeftCandidate[]): Table {
  return {
    kind: 'table',
    columns: [
      { name: 'iteration', isNumber: true },
      { name: 'candidate' },
      { name: 'found by' },
      { name: 'witness' },
      { name: 'what became of it' },
      { name: 'why' },
    ],
    rows: [
      ...tried.map((one) => [
        `${one.iteration}`,
        one.discovery.title,
        one.discovery.source,
        witnessCell(one.witness),
        ...becameOf(one),
      ]),
      ...left.map(({ title, source, relevanceScore }) => [
        '-',
        title,
        source,
        '-',
        { text: 'not tried', tone: 'quiet' } as const,
        `relevance ${relevanceScore.toFixed(2)}`,
      ]),
    ],
  };
}

const witnessCell = (witness: Witness | null): Cell =>
  witness === null ? '-' : `${WITNESS_NAMES[witness.kind]}: ${head(witness.text, MAX_CHARS)}`;

function becameOf({ kept, evaluation, refusal }: Experiment): readonly Cell[] {
  if (kept) {
    const why = head(evaluation?.because ?? '', MAX_CHARS);
    return [
      { text: ['kept, ', { code: kept.branch }], tone: 'good' },
      `${evaluation?.grade ?? ''} ${why}`.trim() || '-',
    ];
  }
  if (isUnshown(evaluation))
    return [{ text: 'not shown', tone: 'quiet' }, head(evaluation.because ?? evaluation.reason, MAX_CHARS)];
  if (refusal) return [{ text: `refused by ${refusal.by}`, tone: 'bad' }, head(refusal.reason, MAX_CHARS)];
  return [{ text: 'under way', tone: 'quiet' }, '-'];
}
