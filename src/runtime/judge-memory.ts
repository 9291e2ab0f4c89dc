import type { EventOf } from '../../machines/events.ts';
import type { Finding, ReachedLimit } from '../../machines/outcome.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { NextCall } from '../budget/next-call.ts';
import type { Detector } from '../detectors/detector.ts';
import { reportOf, type VerificationReport } from '../strategies/report.ts';
import type { Fact } from './cast.ts';
import type { LoopDefinition } from './loop-definition.ts';
import type { LoopMemory, RunMemory } from './loop-memory.ts';
import { Lookout, type Watching } from './lookout.ts';

/**
 * What a judgement rests on, beside the state of the machine: folded from the facts of a run and from nothing else, so
 * that whoever asks an old run again knows what was known then.
 */
export class JudgeMemory implements RunMemory {
  /** As the newest fact has it: a migration is to its next version. */
  loop: LoopDefinition;
  readonly settings: RunSettings;
  /** What the loop remembers beside that. */
  own: LoopMemory;
  readonly next = new NextCall();
  /** Limits of which it was said that they are near. */
  readonly warnedOf = new Set<ReachedLimit['name']>();
  report: VerificationReport | null = null;
  /** What checks have said of each workspace, newest verdict; outside git a workspace has no name. */
  readonly verdicts = new Map<string, boolean>();
  readonly #run: string;
  readonly #lookout: Lookout;
  /** Up to which version each run of a fork's prefix wrote. */
  readonly #writers: { run: string; upTo: number }[] = [];

  constructor(run: string, settings: RunSettings, watching: Watching, loop: LoopDefinition) {
    this.#run = run;
    this.loop = loop;
    this.settings = settings;
    this.own = loop.remember?.(run, settings) ?? NOTHING;
    this.#lookout = new Lookout(settings.detectors, watching);
  }

  /** Those that watch the run now. */
  get detectors(): readonly Detector[] {
    return this.#lookout.detectors;
  }

  /** What detectors have said since the work went on. */
  get findings(): readonly Finding[] {
    return this.#lookout.findings;
  }

  observe(fact: Fact): void {
    this.#sign(fact);
    if (fact.type === 'run.migrated') this.#migrate();
    this.own.observe(fact);
    this.next.observe(fact);
    if (fact.type === 'warning.raised' && fact.payload.limit) this.warnedOf.add(fact.payload.limit.name);
    if (fact.type === 'run.continued') this.warnedOf.clear();
    this.#lookout.observe(fact, this.loop);
    if (fact.type === 'verification.completed') this.#verified(fact.payload);
  }

  /** The next version judges from here on, with what the version before it has remembered. */
  #migrate(): void {
    const next = this.loop.migration?.to;
    if (!next) return;
    if (next.remember !== this.loop.remember) this.own = next.remember?.(this.#run, this.settings, this.own) ?? NOTHING;
    this.loop = next;
  }

  #verified(payload: EventOf<'verification.completed'>['payload']): void {
    const { levels, workspace, passed } = payload;
    this.report = levels.length > 0 ? reportOf(payload) : null;
    if (levels.length > 0 && workspace !== null) this.verdicts.set(workspace, passed);
  }

  /** The id of a version: in a fork's prefix it belongs to the run that wrote it. */
  idOf = (version: number): string => {
    const writer = this.#writers.find(({ upTo }) => version <= upTo) ?? this.#writers.at(-1);
    return `${writer?.run ?? ''}/${version}`;
  };

  #sign({ run, version }: Fact): void {
    const writer = this.#writers.at(-1);
    if (writer?.run === run) writer.upTo = version;
    else this.#writers.push({ run, upTo: version });
  }
}

const NOTHING: LoopMemory = { observe: () => {} };
