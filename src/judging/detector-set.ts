import { isShared } from '../../machines/events.ts';
import type { Finding, Opinion } from '../../machines/outcome.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { type Detector, eventId, type LoggedEvent } from '../detectors/detector.ts';
import { REPORTING_DETECTORS } from '../detectors/detector-kinds.ts';
import { termsAsFacts } from '../detectors/terms.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { oneNudge, type Told } from './one-nudge.ts';
import { goesOn } from './opinions.ts';

/** The detectors that a run chooses. `polling`: the commands that it is meant to repeat. */
export type DetectorsFor = (choices: RunSettings['detectors'], polling?: RunSettings['polling']) => readonly Detector[];

/** A detector, usually a custom one, has thrown, though it must not. The fact it failed on was not recorded. */
export class DetectorError extends Error {
  override readonly name = 'DetectorError';
  readonly detector: string;

  constructor(detector: string, fact: LoggedEvent, cause: unknown) {
    const what = cause instanceof Error ? cause.message : String(cause);
    super(
      `detector ${detector} failed on ${fact.type} (${eventId(fact)}): ${what}. Fix it or leave it out, and resume the run.`,
      { cause },
    );
    this.detector = detector;
  }
}

interface Watch {
  readonly detector: Detector;
  state: unknown;
}

/** Watches a run with the detectors it has chosen, and keeps their findings until the next decision. */
export class DetectorSet {
  /** Findings since the last round began. */
  findings: readonly Finding[] = [];
  readonly #watching: DetectorsFor;
  #choices: RunSettings['detectors'];
  readonly #polling: RunSettings['polling'];
  #watches: readonly Watch[];
  readonly #byType = new Map<LoggedEvent['type'], readonly Watch[]>();
  /** The stretches that the model was told of. */
  #told: readonly Told[] = [];
  /** The run's first fact, for detectors that watch it only from a continuation on. */
  #started: Fact | null = null;

  constructor({ detectors, polling }: Pick<RunSettings, 'detectors' | 'polling'>, watching: DetectorsFor) {
    this.#watching = watching;
    this.#choices = detectors;
    this.#polling = polling;
    this.#watches = watches(watching(detectors, polling));
  }

  get detectors(): readonly Detector[] {
    return this.#watches.map(({ detector }) => detector);
  }

  /** `loop` says when a round begins, and what its own facts mean to detectors. */
  observe(fact: Fact, loop: Pick<LoopDefinition, 'rounds' | 'observe'>): void {
    if (fact.type === 'run.started') this.#started = fact;
    if (fact.type === 'run.continued') this.#startAnew(fact.payload.detectors);
    if (fact.type === 'decision.made' && fact.payload.opinions) this.#forgive(fact.payload.opinions);
    if (fact.type === 'run.steered') this.findings = this.findings.map(forgiven);
    if (fact.type === loop.rounds.started) this.findings = [];
    // Facts of every loop mean the same to detectors in each loop; the loop translates only its own.
    const seen: readonly LoggedEvent[] =
      loop.observe && !isShared(fact) ? termsAsFacts(loop.observe(fact), fact) : [fact];
    for (const one of seen) {
      for (const watch of this.#watchesOf(one.type)) {
        const finding = noticed(watch, one);
        if (finding) this.#add(finding);
      }
    }
  }

  /** The watches that look at a type of event. */
  #watchesOf(type: LoggedEvent['type']): readonly Watch[] {
    const before = this.#byType.get(type);
    if (before) return before;
    const those = this.#watches.filter(({ detector: { sees } }) => sees?.has(type) ?? true);
    this.#byType.set(type, those);
    return those;
  }

  #add(finding: Finding): void {
    const isReport = REPORTING_DETECTORS.has(finding.detector);
    const { finding: noted, told } = isReport ? { finding, told: this.#told } : oneNudge(finding, this.#told);
    this.#told = told;
    this.findings = [...this.findings, noted];
  }

  /** Who was asked has let them go on: their counts begin anew. */
  #forgive(opinions: readonly Opinion[]): void {
    for (const watch of this.#watches) {
      if (!goesOn(watch.detector.name, opinions)) continue;
      watch.state = watch.detector.init();
      if (this.#started) noticed(watch, this.#started);
    }
  }

  /** A continuation clears the findings: its caller has seen why the run ended, and lets it continue. */
  #startAnew(choices: RunSettings['detectors']): void {
    this.#choices = choices ?? this.#choices;
    this.#watches = watches(this.#watching(this.#choices, this.#polling));
    this.#byType.clear();
    if (this.#started) for (const watch of this.#watches) noticed(watch, this.#started);
    this.findings = [];
  }
}

/**
 * A person has steered the run, and the model has not received the text yet: a finding that would stop the run is only
 * noted.
 */
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

const watches = (detectors: readonly Detector[]): Watch[] =>
  detectors.map((detector) => ({ detector, state: detector.init() }));
