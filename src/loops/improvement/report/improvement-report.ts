import type { Block, ReportPage, ReportFold, ShownChange } from '../../../kernel/report-page.ts';
import type { Fact } from '../../../kernel/effect-handlers.ts';
import { grouped } from '../../../text/amount.ts';
import { formatMoney } from '../../../text/money.ts';
import { span } from '../../../projections/phrases.ts';
import { costBlocks, improvementLine } from './cost-section.ts';
import { iterationBlocks } from './iteration-section.ts';
import { keptBlocks } from './kept-section.ts';
import { refusedBlocks } from './refused-section.ts';
import { sourceBlocks } from './source-section.ts';
import { tierBlocks } from './tier-section.ts';
import { ToldRun } from './told-run.ts';

/** The report on a run of the improvement loop: what was kept, what was refused and why, the sources, the cost. */
export class ImprovementReport implements ReportFold {
  readonly #told = new ToldRun();

  observe(fact: Fact): void {
    this.#told.observe(fact);
  }

  report(): ReportPage {
    const told = this.#told;
    const { ending } = told;
    return {
      title: `Improvements by run ${told.run}`,
      blocks: [
        ...(told.prompt === '' ? [] : [text(told.prompt)]),
        figures(told),
        ...(ending.reason === null ? [] : [text(`It ended because: ${ending.reason}.`)]),
        ...keptBlocks(told),
        ...refusedBlocks(told),
        ...besideBlocks(told),
        ...tierBlocks(told),
        ...sourceBlocks(told),
        ...iterationBlocks(told),
        ...(told.history.iterations().length === 0 ? [] : [improvementLine(told)]),
        ...costBlocks(told),
      ],
    };
  }

  changes(): readonly ShownChange[] {
    return this.#told.experiments.tried.flatMap(({ kept, built }) =>
      kept && built ? [{ id: built.modification, from: built.base, to: built.tree }] : [],
    );
  }
}

/** Not in the worktrees of experiments, but in the folder of the person. */
const besideBlocks = ({ besides }: ToldRun): readonly Block[] =>
  besides.length === 0 ? [] : [{ kind: 'heading', text: 'What changed beside it' }, ...besides.map(text)];

const text = (said: string): Block => ({ kind: 'text', text: said });

function figures({ ending, history, options, tookMs }: ToldRun): Block {
  const { iterations, improvements, totalCost, improvementRate } = history.stats();
  const { costNanoUsd } = history.spent;
  const costs = [
    { name: 'tokens', value: grouped(totalCost) },
    ...(costNanoUsd ? [{ name: 'cost', value: formatMoney(costNanoUsd.total) }] : []),
  ];
  return {
    kind: 'figures',
    figures: [
      { name: 'ending', value: ending.name, tone: ending.isSuccess ? 'good' : 'quiet' },
      { name: 'improvements', value: grouped(improvements) },
      { name: 'iterations', value: grouped(iterations) },
      { name: 'rate', value: improvementRate.toFixed(2) },
      { name: 'took', value: span(tookMs) },
      ...(options.costTracking ? costs : []),
    ],
  };
}
