import type { AnyEvent, ImprovementEvent, Recorded } from '../../../machines/events.ts';
import type { Additions } from '../../kernel/loop-description.ts';
import { describedAttempts } from '../attempt-loop.ts';
import { lineOf } from './event-line.ts';
import { ImprovementNarration } from './improvement-narration.ts';
import { IntegrationQuestions } from './integration-questions.ts';
import { ImprovementReport } from './report/improvement-report.ts';
import { ImprovementTracker } from './tracker/improvement-tracker.ts';
import { ImprovementOptions } from '../../../machines/improvement-options.ts';
import type { Fact, NextStep, NextSteps } from '../../kernel/effect-handlers.ts';
import { LastLook, lowerMinimum, MORE_SOURCES, unasked } from './last-look.ts';

const VERB = 'improve';

/** After a night: its report, and, if nothing was kept because there was nothing to try, how more is found. */
class ImprovementNext implements NextSteps {
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

/** What the row of an iteration says: what it tried, and what became of each candidate. */
const REMARKABLE: ReadonlySet<string> = new Set([
  'filter.completed',
  'experiment.refused',
  'evaluation.completed',
  'integration.denied',
  'integration.completed',
  'integration.failed',
]);

/** How people read an improvement loop. */
export const improvementDescription = {
  ...describedAttempts({ child: 'experiment', line: (event) => lineOf(event as Recorded<ImprovementEvent>) }),
  adds: (event: Recorded<AnyEvent>): Additions => {
    const own = event as Recorded<ImprovementEvent>;
    const remark = isRemarkable(own) ? lineOf(own) : null;
    return {
      ...(remark === null ? {} : { remark }),
      ...(event.type.endsWith('.interrupted') ? { phase: 'failures' } : {}),
    };
  },
  answer: 'reason' as const,
  questions: () => new IntegrationQuestions(),
  tracker: () => new ImprovementTracker(),
  narration: () => new ImprovementNarration(),
  next: () => new ImprovementNext(),
  report: () => new ImprovementReport(),
};

/** A candidate that passed is told of when it is kept; a discovery, where it is all that there was. */
function isRemarkable({ type, payload }: Recorded<ImprovementEvent>): boolean {
  if (type === 'discovery.completed') return payload.discoveries.length === 0;
  if (type === 'evaluation.completed') return !payload.passed;
  return REMARKABLE.has(type);
}
