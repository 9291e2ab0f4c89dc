import { isDeepStrictEqual } from 'node:util';
import type { LoopDefinition } from '../../../src/kernel/loop-definition.ts';
import type { Log } from '../../../src/log/log.ts';
import type { Append } from '../../../src/log/event-store.ts';
import type { Holder } from '../../../src/log/lease-store.ts';
import type { OpenStore } from '../memory/open-store.ts';
import { freezeState } from '../../../src/kernel/fold.ts';
import { rebuild } from '../../../src/runtime/load-run.ts';
import type { DrawnWorld } from './drawn-world.ts';
import { faultsInNights } from './sound-nights.ts';
import { faultsInRuns } from './sound-runs.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import type { StoreRecord } from './store-record.ts';

/** Events that answer an effect: after one of them is durable, the effect may not begin again. */
const ANSWERS: readonly string[] = [
  'model.completed',
  'model.failed',
  'tool.completed',
  'tool.failed',
  'tool.interrupted',
  'workspace.captured',
  'verification.completed',
  'timer.fired',
  'discovery.completed',
  'filter.completed',
  'plans.written',
  'experiment.prepared',
  'experiment.refused',
  'evaluation.completed',
  'integration.completed',
  'integration.failed',
];

interface OracleParts {
  readonly tables: () => OpenStore;
  /** The log as the program sees it. */
  readonly view: () => Log;
  readonly loops: readonly LoopDefinition[];
  readonly processOf: (holder: Holder) => SimulatedProcess | undefined;
}

/** Watches a world, and says what must not have happened in it. */
export class Oracle {
  readonly violations: string[] = [];
  readonly #tables: () => OpenStore;
  readonly #view: () => Log;
  readonly #loops: readonly LoopDefinition[];
  readonly #processOf: (holder: Holder) => SimulatedProcess | undefined;
  /** The newest version of each run that a process was told is durable, and its hash. */
  readonly #acknowledged = new Map<string, { readonly version: number; readonly hash: string }>();
  readonly #durable = new Map<string, number>();
  /** By which event, each effect that has its result. */
  readonly #answered = new Map<string, string>();
  readonly #posted = new Map<number, string>();
  /** The head and the stored state of each run whose fold was compared. */
  readonly #folds = new Map<string, string>();

  constructor({ tables, view, loops, processOf }: OracleParts) {
    this.#tables = tables;
    this.#view = view;
    this.#loops = loops;
    this.#processOf = processOf;
  }

  /** A transaction is durable. */
  committed(process: SimulatedProcess, record: StoreRecord): void {
    if (record.kind !== 'append') return;
    const { run, epoch } = record.request;
    if (!this.#holds(process, record.request))
      this.report(`${process.name} wrote to ${run} under epoch ${epoch}, and another process has the lease`);
    this.#noteDurable(record.stored);
  }

  /** A process was told that its events are durable. */
  acknowledged(envelopes: readonly { readonly run: string; readonly version: number; readonly hash: string }[]): void {
    const last = envelopes.at(-1);
    if (!last) return;
    this.#acknowledged.set(last.run, last);
    if ((this.#durable.get(last.run) ?? 0) < last.version)
      this.report(`${last.run}/${last.version} was acknowledged, and is not durable`);
  }

  /** A process was told that its command waits for the run. */
  posted(entry: number, type: string): void {
    this.#posted.set(entry, type);
  }

  /** An effect begins, in a process. */
  begins(id: string, actor: string, process: SimulatedProcess): void {
    const { run, version } = partsOf(id);
    if ((this.#durable.get(run) ?? 0) < version) this.report(`${actor} ${id} began before its cause was durable`);
    const isStale = !this.#isHolder(process, this.#tables().runs.find(run)?.root ?? run);
    const answer = this.#answered.get(id);
    // An integration captures the tree before it commits.
    const isAnswered = answer !== undefined && !(actor === 'integrateCandidate' && answer === 'workspace.captured');
    if (isAnswered && !isStale) this.report(`${actor} ${id} began again after its result was durable`);
  }

  /** The store has been opened again after a crash. */
  reopened(): void {
    const tables = this.#tables();
    for (const [run, { version, hash }] of this.#acknowledged) {
      if (tables.runs.find(run)?.at(version)?.hash !== hash)
        this.report(`${run}/${version} was acknowledged, and is lost`);
    }
    for (const [entry, type] of this.#posted) {
      if (tables.inbox.entry(entry)?.type !== type) this.report(`command ${entry} was acknowledged, and is lost`);
    }
  }

  /** What the store has been found to have is durable. */
  found(): void {
    for (const { own } of this.#tables().runs.all()) this.#noteDurable(own);
  }

  /** Whether each run is the fold of what the log has of it, also where a stored state shortens the fold. */
  async checkFolds(): Promise<void> {
    const log = this.#view();
    for (const { run, hash } of await log.runs()) {
      const stored = await log.latestSnapshot(run);
      const seen = `${hash} ${stored?.version}`;
      if (this.#folds.get(run) === seen) continue;
      this.#folds.set(run, seen);
      if (!stored) continue;
      const cached = await this.#folded(log, run);
      const whole = await this.#folded({ ...log, latestSnapshot: async () => null }, run);
      if (!isDeepStrictEqual(cached, whole)) this.report(`${run}: its stored state is not the fold of its events`);
    }
  }

  /** What has to hold when a life is over: of each run, of each child, and of each command. */
  async checkEnd({ outside: { made, once }, branch, plan: { stopsProcesses } }: DrawnWorld): Promise<void> {
    await this.checkFolds();
    for (const fault of await faultsInRuns(this.#view(), this.#loops)) this.report(fault);
    for (const fault of await faultsInNights(this.#view(), branch)) this.report(fault);
    // A process that was stopped and is woken later cannot know that another one has made its call meanwhile.
    for (const [effect, times] of made)
      if (times > 1 && (once.has(effect) || !stopsProcesses)) this.report(`${effect} was done ${times} times`);
    for (const entry of this.#posted.keys()) this.#checkCommand(entry);
  }

  #checkCommand(id: number): void {
    const tables = this.#tables();
    const entry = tables.inbox.entry(id);
    if (!entry || entry.status.kind === 'waiting') return this.report(`command ${id} was never settled`);
    const { status, type, payload } = entry;
    if (status.kind !== 'delivered') return;
    const root = tables.runs.find(entry.run)?.root;
    const isThere = tables.runs.all().some((run) => {
      const event = run.root === root ? run.at(status.version) : undefined;
      return event?.type === type && isDeepStrictEqual(JSON.parse(event.text ?? 'null'), payload);
    });
    if (!isThere && type !== 'run.paused') this.report(`command ${id} counts as delivered, and no run has it`);
  }

  async #folded(log: Log, run: string): Promise<unknown> {
    try {
      const loaded = await rebuild(log, run, undefined, this.#loops);
      return loaded.kind === 'loaded' ? freezeState(loaded.state) : loaded;
    } catch (error) {
      this.report(`${run} cannot be folded: ${String(error)}`);
      return null;
    }
  }

  #noteDurable(
    stored: readonly {
      readonly run: string;
      readonly version: number;
      readonly type: string;
      readonly causation: string | null;
    }[],
  ): void {
    for (const { run, version, type, causation } of stored) {
      this.#durable.set(run, Math.max(version, this.#durable.get(run) ?? 0));
      if (causation !== null && ANSWERS.includes(type)) this.#answered.set(`${run}/${causation}`, type);
    }
  }

  /** The last facts of a tree may have given its lease back in the same transaction: then the epoch tells. */
  #holds(process: SimulatedProcess, { run, epoch, releasesLease }: Append): boolean {
    const root = this.#tables().runs.find(run)?.root ?? run;
    const lease = this.#tables().leases.find(root);
    if (releasesLease && lease?.holder === null) return lease.epoch === epoch;
    return this.#isHolder(process, root);
  }

  #isHolder(process: SimulatedProcess, root: string): boolean {
    const holder = this.#tables().leases.find(root)?.holder;
    return holder != null && this.#processOf(holder) === process;
  }

  report(what: string): void {
    if (!this.violations.includes(what)) this.violations.push(what);
  }
}

function partsOf(effect: string): { readonly run: string; readonly version: number } {
  const [run = '', version] = effect.split('/');
  return { run, version: Number(version) };
}
