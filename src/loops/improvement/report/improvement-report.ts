import type { ReportPage, ReportFold, ShownChange, Cell, Table } from '../../../kernel/report-page.ts';
import type { Fact } from '../../../kernel/effect-handlers.ts';
import { isUnshown } from './candidate-refusal.ts';
import { type ImprovementNight, nightOf } from './improvement-night.ts';
import { nightPage } from './night-page.ts';
import { ToldRun } from './night-run.ts';
import type { Witness } from '../../../../machines/improvement-facts.ts';
import { head } from '../../../text/excerpt.ts';
import type { Experiment } from './experiments.ts';
import type { LeftCandidate } from './night-candidates.ts';
import { WITNESS_NAMES } from './witness-text.ts';

const MAX_CHARS = 300;

/** What became of every candidate, in the order in which they were tried: kept, not shown, refused, or not tried. */
function candidateOverview(tried: readonly Experiment[], left: readonly LeftCandidate[]): Table {
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

/** The report on a run of the improvement loop, folded from its facts: its data, and its page as one view of them. */
export class ImprovementReport implements ReportFold {
  readonly #told = new ToldRun();

  observe(fact: Fact): void {
    this.#told.observe(fact);
  }

  data(): ImprovementNight {
    return nightOf(this.#told);
  }

  report(): ReportPage {
    const night = this.data();
    return { ...nightPage(night), overview: candidateOverview(this.#told.experiments.tried, night.left) };
  }

  changes(): readonly ShownChange[] {
    return this.#told.experiments.tried.flatMap(({ kept, evaluation, built }) =>
      built && (kept || isUnshown(evaluation)) ? [{ id: built.modification, from: built.base, to: built.tree }] : [],
    );
  }
}
