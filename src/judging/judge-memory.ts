import type { EventOf } from '../../machines/events.ts';
import type { Finding, Grade, ReachedLimit } from '../../machines/outcome.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { NextCall } from '../budget/next-call.ts';
import type { Detector } from '../detectors/detector.ts';
import { beginningText } from '../evidence/start-text.ts';
import { isEnough } from '../evidence/enough.ts';
import { gradedChecks } from '../evidence/grade.ts';
import { reportOf, type VerificationReport } from '../strategies/report.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { LoopMemory, RunMemory } from '../kernel/loop-memory.ts';
import { DetectorSet, type DetectorsFor } from './detector-set.ts';

/**
 * What a judgement rests on, beside the state of the machine: folded from the facts of a run and from nothing else, so
 * that a judge that is asked again over an old run has exactly the evidence of then.
 */
export class JudgeMemory implements RunMemory {
  /** The loop as of the newest fact: a migration replaces it by its next version. */
  loop: LoopDefinition;
  readonly settings: RunSettings;
  /** The loop's own memory. */
  own: LoopMemory;
  readonly next = new NextCall();
  /** Limits whose warning was raised. */
  readonly warnedOf = new Set<ReachedLimit['name']>();
  report: VerificationReport | null = null;
  grade: Grade | null = null;
  enough: boolean | null = null;
  baseline: VerificationReport | null = null;
  beginning: readonly string[] = [];
  /** Whether the newest checks of each workspace passed, by tree hash; outside git a workspace has none. */
  readonly verdicts = new Map<string, boolean>();
  readonly #run: string;
  readonly #detectorSet: DetectorSet;
  /** Up to which version each run of a fork's prefix wrote. */
  readonly #writers: { run: string; upTo: number }[] = [];

  constructor(run: string, settings: RunSettings, watching: DetectorsFor, loop: LoopDefinition) {
    this.#run = run;
    this.loop = loop;
    this.settings = settings;
    this.own = loop.remember?.(run, settings) ?? NOTHING;
    this.#detectorSet = new DetectorSet(settings, watching);
  }

  /** The detectors that watch the run now. */
  get detectors(): readonly Detector[] {
    return this.#detectorSet.detectors;
  }

  /** Findings since the last round began. */
  get findings(): readonly Finding[] {
    return this.#detectorSet.findings;
  }

  observe(fact: Fact): void {
    this.#noteWriter(fact);
    if (fact.type === 'run.migrated') this.#migrate();
    this.own.observe(fact);
    this.next.observe(fact);
    if (fact.type === 'warning.raised' && fact.payload.limit) this.warnedOf.add(fact.payload.limit.name);
    if (fact.type === 'run.continued') this.warnedOf.clear();
    this.#detectorSet.observe(fact, this.loop);
    if (fact.type === 'baseline.taken') this.#baselineTaken(fact.payload);
    if (fact.type === 'verification.completed') this.#verified(fact.payload);
  }

  /** The next version judges from here on, with the memory of the version before it. */
  #migrate(): void {
    const next = this.loop.migration?.to;
    if (!next) return;
    if (next.remember !== this.loop.remember) this.own = next.remember?.(this.#run, this.settings, this.own) ?? NOTHING;
    this.loop = next;
  }

  #baselineTaken(payload: EventOf<'baseline.taken'>['payload']): void {
    this.baseline = reportOf(payload, this.settings.checks);
    this.beginning = beginningText({ ...payload, inherited: this.settings.proof?.inherited });
  }

  #verified(payload: EventOf<'verification.completed'>['payload']): void {
    const { levels, workspace, passed } = payload;
    const graded = gradedChecks(payload);
    this.grade = graded?.grade ?? null;
    this.enough = graded && isEnough(graded, payload.proof, this.settings.accept);
    this.report = levels.length > 0 ? reportOf(payload, this.settings.checks) : null;
    if (levels.length > 0 && workspace !== null) this.verdicts.set(workspace, passed);
  }

  /** The id of a version: in a fork's prefix it belongs to the run that wrote it. */
  idOf = (version: number): string => {
    const writer = this.#writers.find(({ upTo }) => version <= upTo) ?? this.#writers.at(-1);
    return `${writer?.run ?? ''}/${version}`;
  };

  #noteWriter({ run, version }: Fact): void {
    const writer = this.#writers.at(-1);
    if (writer?.run === run) writer.upTo = version;
    else this.#writers.push({ run, upTo: version });
  }
}

const NOTHING: LoopMemory = { observe: () => {} };
