import type { ReportPage, ReportFold, ShownChange } from '../../../kernel/report-page.ts';
import type { Fact } from '../../../kernel/effect-handlers.ts';
import { candidateOverview } from './candidate-overview.ts';
import { isUnshown } from './candidate-refusal.ts';
import { type ImprovementNight, nightOf } from './improvement-night.ts';
import { nightPage } from './night-page.ts';
import { ToldRun } from './told-run.ts';

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
