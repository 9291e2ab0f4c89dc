import { isShared } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { type Detector, eventId, type LoggedEvent } from '../detectors/detector.ts';
import { termsAsFacts } from '../detectors/terms.ts';
import type { Fact } from './cast.ts';
import type { LoopDefinition } from './loop-definition.ts';

/** The detectors that a run chooses. */
export type Watching = (choices: RunSettings['detectors']) => readonly Detector[];

/** A detector, somebody's own most likely, broke its promise never to throw. Nothing of that fact was recorded. */
export class DetectorError extends Error {
  override readonly name = 'DetectorError';
  readonly detector: string;

  constructor(detector: string, fact: LoggedEvent, cause: unknown) {
    const what = cause instanceof Error ? cause.message : String(cause);
    super(`detector ${detector} failed on ${fact.type} (${eventId(fact)}): ${what}. Mend it or leave it out, and resume the run.`, { cause });
    this.detector = detector;
  }
}

interface Watch {
  readonly detector: Detector;
  state: unknown;
}

/** Watches a run with the detectors it has chosen, and keeps what they have noticed until it is decided on. */
export class Lookout {
  /** What was noticed since the work went on. */
  findings: readonly Finding[] = [];
  readonly #watching: Watching;
  #choices: RunSettings['detectors'];
  #watches: readonly Watch[];
  /** How the run began, for detectors that watch it only from a continuation on. */
  #started: Fact | null = null;

  constructor(choices: RunSettings['detectors'], watching: Watching) {
    this.#watching = watching;
    this.#choices = choices;
    this.#watches = watches(watching(choices));
  }

  get detectors(): readonly Detector[] {
    return this.#watches.map(({ detector }) => detector);
  }

  /** `loop` says when a round begins, and what its own facts mean to detectors. */
  observe(fact: Fact, loop: Pick<LoopDefinition, 'rounds' | 'observe'>): void {
    if (fact.type === 'run.started') this.#started = fact;
    if (fact.type === 'run.continued') this.#startAnew(fact.payload.detectors);
    if (fact.type === 'run.steered') this.findings = this.findings.map(forgiven);
    if (fact.type === loop.rounds.started) this.findings = [];
    // Facts of every loop mean the same in each: only its own are for the loop to say.
    const seen: readonly LoggedEvent[] = loop.observe && !isShared(fact) ? termsAsFacts(loop.observe(fact), fact) : [fact];
    for (const one of seen) {
      for (const watch of this.#watches) {
        const finding = noticed(watch, one);
        if (finding) this.findings = [...this.findings, finding];
      }
    }
  }

  /** Whoever lets a run go on has seen why it ended: nothing that was noticed before is held against it. */
  #startAnew(choices: RunSettings['detectors']): void {
    this.#choices = choices ?? this.#choices;
    this.#watches = watches(this.#watching(this.#choices));
    if (this.#started) for (const watch of this.#watches) noticed(watch, this.#started);
    this.findings = [];
  }
}

/** A person has said more of their own accord, and the model has not heard it yet: that it went in circles is noted, no more. */
const forgiven = (finding: Finding): Finding => (finding.level === 'stop' ? { ...finding, level: 'observe' } : finding);

function noticed(watch: Watch, fact: LoggedEvent): Finding | undefined {
  const { detector } = watch;
  try {
    const { state, finding } = detector.step(watch.state, fact);
    watch.state = state;
    return finding;
  } catch (error) {
    throw new DetectorError(detector.name, fact, error);
  }
}

const watches = (detectors: readonly Detector[]): Watch[] => detectors.map((detector) => ({ detector, state: detector.init() }));
