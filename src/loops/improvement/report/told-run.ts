import { ImprovementOptions } from '../../../../machines/improvement-options.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import type { Fact } from '../../../kernel/effect-handlers.ts';
import { endingName } from '../../../projections/phrases.ts';
import { isOfOrigin } from '../evaluation/changed-origin.ts';
import { ImprovementHistory } from '../history/improvement-history.ts';
import { LastLook } from '../last-look.ts';
import { Experiments } from './experiments.ts';
import { Findings } from './findings.ts';

/** How a run ended, or that it has not. */
export interface ToldEnding {
  readonly name: string;
  readonly reason: string | null;
  readonly isSuccess: boolean;
}

const UNDER_WAY: ToldEnding = { name: 'under way', reason: null, isSuccess: false };

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
  ending = UNDER_WAY;
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
        if (sink) this.ending = { name: endingName(sink), reason, isSuccess: sink.ending === 'success' };
        break;
      }
    }
  }

  #begin({ prompt, options }: RunSettings): void {
    this.prompt = prompt;
    this.options = ImprovementOptions.parse(options ?? {});
  }
}
