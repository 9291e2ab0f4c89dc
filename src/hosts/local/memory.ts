import type { EventOf } from '../../../machines/events.ts';
import type { Tries } from '../../actors/model/model-actor.ts';
import type { Finding } from '../../../machines/outcome.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Detector } from '../../detectors/detector.ts';
import { Transcript } from '../../projections/transcript.ts';
import type { Fact } from '../../runtime/cast.ts';
import { Iterations } from '../../runtime/iterations.ts';
import { reportOf, type VerificationReport } from '../../strategies/report.ts';

/** How much of what a person has said is repeated to each later attempt: the newest words. */
const MAX_STEERING = 20;

const NO_TRIES: Tries = { retried: 0, limited: 0 };

/** What the cast of one run has to remember of its log. Nothing here is ever stored: it is folded anew from the facts. */
export class Memory {
  readonly transcript = new Transcript();
  readonly iterations: Iterations;
  /** The newest answer of the model. */
  answer: EventOf<'model.completed'>['payload'] | null = null;
  /** The model that answers now, where another has taken the place of the first. */
  replacement: string | null = null;
  /** Tries for the newest answer that came to nothing. */
  tries: Tries = NO_TRIES;
  /** Real places outside the workspace that a person has allowed to read. */
  readable: readonly string[] = [];
  /** What a person has said while the run, and its attempts so far, were under way. Oldest first. */
  steering: readonly string[] = [];
  report: VerificationReport | null = null;
  feedback: string | null = null;
  /** What still holds of what detectors said. */
  findings: readonly Finding[] = [];
  captures = 0;
  /** Tree hash of the newest capture. */
  captured: string | null = null;
  childAnswer = '';
  attemptLimits: RunSettings['attemptLimits'];
  readonly #watches: { readonly detector: Detector; state: unknown }[];
  /** Up to which version each run of a fork's prefix wrote. */
  readonly #writers: { run: string; upTo: number }[] = [];

  constructor(run: string, settings: RunSettings, detectors: readonly Detector[]) {
    this.iterations = new Iterations(run, settings.checks.length);
    this.attemptLimits = settings.attemptLimits;
    this.#watches = detectors.map((detector) => ({ detector, state: detector.init() }));
  }

  observe(fact: Fact): void {
    this.#sign(fact);
    this.transcript.observe(fact);
    this.iterations.observe(fact);
    this.#notice(fact);
    switch (fact.type) {
      case 'step.started':
        this.tries = NO_TRIES;
        break;
      case 'model.retried':
        this.tries = { ...this.tries, retried: this.tries.retried + 1 };
        break;
      case 'model.limited':
        this.tries = { ...this.tries, limited: this.tries.limited + 1 };
        break;
      case 'model.replaced':
        this.replacement = fact.payload.to;
        this.tries = NO_TRIES;
        break;
      case 'model.completed':
        this.answer = fact.payload;
        break;
      case 'person.answered':
        if (fact.payload.access?.granted) this.readable = [...this.readable, fact.payload.access.path];
        break;
      case 'run.steered':
        this.#steer([fact.payload.text]);
        break;
      case 'verification.completed':
        this.report = reportOf(fact.payload);
        break;
      case 'decision.made':
        this.feedback = fact.payload.feedback ?? null;
        break;
      case 'workspace.captured':
        this.captures += 1;
        this.captured = fact.payload.hash;
        break;
      case 'child.settled':
        this.childAnswer = fact.payload.answer;
        this.#steer(fact.payload.steering ?? []);
        break;
      case 'run.continued':
        this.attemptLimits = fact.payload.attemptLimits;
        break;
    }
  }

  /** The id of a version: in a fork's prefix it belongs to the run that wrote it. */
  idOf = (version: number): string => {
    const writer = this.#writers.find(({ upTo }) => version <= upTo) ?? this.#writers.at(-1);
    return `${writer?.run ?? ''}/${version}`;
  };

  #steer(words: readonly string[]): void {
    this.steering = [...this.steering, ...words].slice(-MAX_STEERING);
  }

  #sign({ run, version }: Fact): void {
    const writer = this.#writers.at(-1);
    if (writer?.run === run) writer.upTo = version;
    else this.#writers.push({ run, upTo: version });
  }

  /** A finding holds until the work goes on; a continuation starts with nothing held against it. */
  #notice(fact: Fact): void {
    if (fact.type === 'step.started' || fact.type === 'iteration.started' || fact.type === 'run.continued') this.findings = [];
    for (const watch of this.#watches) {
      const { state, finding } = watch.detector.step(watch.state, fact);
      watch.state = state;
      if (finding?.level === 'stop') this.findings = [...this.findings, finding];
    }
  }
}
