import { ImprovementOptions } from '../../../../machines/improvement-options.ts';
import type { Ending, Grade, Outcome } from '../../../../machines/outcome.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import type { Fact } from '../../../kernel/effect-handlers.ts';
import { endingName } from '../../../projections/phrases.ts';
import { isOfOrigin } from '../evaluation/origin-change.ts';
import { ImprovementHistory } from '../history/improvement-history.ts';
import { LastLook } from '../last-look.ts';
import { Experiments } from './experiments.ts';
import { Findings } from './findings.ts';

/** How a run ended. */
export interface NightEnding {
  readonly outcome: Ending;
  /** For people: `success, witnessed`. */
  readonly name: string;
  /** What all that was kept is worth: the least of its grades. Null: nothing was kept, or it had none. */
  readonly grade: Grade | null;
  readonly reason: string;
}

/** Everything that a report tells of a run, folded from its facts. */
export class ToldRun {
  readonly history = new ImprovementHistory();
  readonly experiments = new Experiments();
  readonly findings = new Findings();
  /** What changed around experiments while they were under way, oldest first. */
  readonly besides: string[] = [];
  readonly look = new LastLook();
  run = '';
  prompt = '';
  options = ImprovementOptions.parse({});
  startedAt = '';
  /** Null: it is under way. */
  ending: NightEnding | null = null;
  #hasChecks = false;
  #at = '';
  #idleMs = 0;

  /** How long the run took, without the time in which it was paused or interrupted. */
  get tookMs(): number {
    return Math.max(0, Date.parse(this.#at) - Date.parse(this.startedAt) - this.#idleMs);
  }

  observe(fact: Fact): void {
    this.history.observe(fact);
    this.experiments.observe(fact);
    this.findings.observe(fact);
    this.look.observe(fact);
    this.#at = fact.at;
    switch (fact.type) {
      case 'run.started':
        this.run = fact.run;
        this.startedAt = fact.at;
        this.#begin(fact.payload.settings);
        break;
      case 'run.resumed':
      case 'run.continued':
        this.#idleMs += fact.payload.idleMs;
        break;
      case 'warning.raised':
        if (isOfOrigin(fact.payload.code)) this.besides.push(fact.payload.message);
        break;
      case 'decision.made': {
        const { sink, reason } = fact.payload;
        if (sink) this.ending = endingOf(sink, reason, this.#hasChecks);
        break;
      }
    }
  }

  #begin({ prompt, options, checks }: RunSettings): void {
    this.prompt = prompt;
    this.#hasChecks = checks.length > 0;
    this.options = ImprovementOptions.parse(options ?? {});
  }
}

const endingOf = (outcome: Outcome, reason: string, hasChecks: boolean): NightEnding => ({
  outcome: outcome.ending,
  name: endingName(outcome, hasChecks),
  grade: outcome.ending === 'success' ? (outcome.verified?.grade ?? null) : null,
  reason,
});
