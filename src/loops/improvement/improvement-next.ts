import { ImprovementOptions } from '../../../machines/improvement-options.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { NextStep, NextSteps } from '../../kernel/next-steps.ts';
import { LastLook, lowerMinimum, MORE_SOURCES, unasked } from './last-look.ts';

const VERB = 'improve';

/** After a night: its report, and, if nothing was kept because there was nothing to try, how more is found. */
export class ImprovementNext implements NextSteps {
  readonly #look = new LastLook();
  #improvements = 0;
  #tries = false;

  observe(fact: Fact): void {
    this.#look.observe(fact);
    if (fact.type === 'run.started')
      this.#tries = ImprovementOptions.parse(fact.payload.settings.options ?? {}).phases.experiment.enabled;
    if (fact.type === 'integration.completed') this.#improvements += 1;
  }

  steps(run: string): readonly NextStep[] {
    return [{ kind: 'command', words: [VERB, '--report', run] }, ...this.#anew()];
  }

  #anew(): readonly NextStep[] {
    const { sources, passed, refused } = this.#look;
    if (!this.#tries || this.#improvements > 0 || sources.length === 0 || passed > 0) return [];
    if (refused > 0) return [{ kind: 'anew', verb: VERB, flags: lowerMinimum(this.#look) }];
    return unasked(sources).map((source) => ({ kind: 'anew', verb: VERB, flags: MORE_SOURCES[source] }));
  }
}
