import type { AnyEvent, EventOf, ImprovementEvent, Recorded } from '../../../machines/events.ts';
import type { Discovery } from '../../../machines/improvement-facts.ts';
import type { FactOf } from '../../kernel/effect-handlers.ts';
import type { Line, Narration, Told } from '../../kernel/narration.ts';
import { changes, leftOutText, oneLine } from '../../projections/phrases.ts';
import { lineOf } from './event-line.ts';

const MAX_LINE_CHARS = 220;
const MAX_TITLE_CHARS = 110;

/** What the run waits for is one thing at a time, of which each result names the next. */
const CANDIDATE = 'candidate';

/** Narrates a night: candidates by their titles, and where their experiments begin by their ids, too. */
export class ImprovementNarration implements Narration {
  readonly #titles = new Map<string, string>();

  tell(fact: FactOf<AnyEvent>): Told | null {
    const event = fact as Recorded<ImprovementEvent>;
    const { type, payload } = event;
    switch (type) {
      case 'workspace.captured':
        return { lines: capturedLines(payload) };
      case 'discovery.completed':
        this.#learn(payload.discoveries);
        return { lines: this.#lines(event) };
      case 'filter.completed':
        this.#learn(payload.candidates);
        return { lines: [...this.#lines(event), ...payload.candidates.map(candidateLine)] };
      case 'experiment.started':
        return { lines: [line(`experiment: "${this.#titleOf(payload.candidate)}" (${payload.candidate})`)] };
      case 'candidate.built': {
        const what = `the evaluation of ${this.#titleOf(payload.candidate)}`;
        return { lines: this.#lines(event), waits: [{ kind: 'also', key: CANDIDATE, what }] };
      }
      case 'evaluation.completed': {
        const what = `the integration of ${this.#titleOf(payload.candidate)}`;
        const next = payload.passed
          ? ({ kind: 'also', key: CANDIDATE, what } as const)
          : ({ kind: 'over', key: CANDIDATE } as const);
        return { lines: this.#lines(event), waits: [next] };
      }
      case 'integration.completed':
      case 'integration.failed':
      case 'integration.denied':
        return { lines: this.#lines(event), waits: [{ kind: 'over', key: CANDIDATE }] };
      default: {
        const lines = this.#lines(event);
        return lines.length === 0 ? null : { lines };
      }
    }
  }

  #lines(event: Recorded<ImprovementEvent>): readonly Line[] {
    const said = lineOf(event, (candidate) => `"${this.#titleOf(candidate)}"`);
    return said === null ? [] : [line(said)];
  }

  #titleOf(candidate: string): string {
    return oneLine(this.#titles.get(candidate) ?? candidate, MAX_TITLE_CHARS);
  }

  #learn(found: readonly Discovery[]): void {
    for (const { id, title } of found) this.#titles.set(id, title);
  }
}

const line = (said: string): Line => ({ rest: [oneLine(said, MAX_LINE_CHARS)] });

/** In the order in which they are tried. */
const candidateLine = ({ title, relevanceScore }: Discovery): Line => ({
  rest: [{ text: `  ${relevanceScore.toFixed(2)}  `, tone: 'quiet' }, oneLine(title, MAX_TITLE_CHARS)],
});

/** Its checks are told by the baseline that follows. */
function capturedLines({ changed, leftOut }: EventOf<'workspace.captured'>['payload']): readonly Line[] {
  const files = `files   ${changes(changed) ?? 'nothing changed'}`;
  const more = leftOut ? [`        not captured: ${leftOutText(leftOut)}`] : [];
  return [files, ...more].map((text) => ({ rest: [text] }));
}
