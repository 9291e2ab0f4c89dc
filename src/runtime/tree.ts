import { setTimeout as delay } from 'node:timers/promises';
import { BehaviorSubject, distinctUntilChanged, type Observable, Subject } from 'rxjs';
import type { EventOf, LoopEvent } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { Delta, EffectCall, Stopped } from '../actors/actor.ts';
import type { Envelope, Json } from '../log/envelope.ts';
import { PROGRAM } from '../log/program.ts';
import { INBOX_POLL_MS, type Lease, LEASE_RENEW_MS, type Log } from '../log/log.ts';
import type { ChildPerformance, ChildSettings } from './cast.ts';
import type { Casting } from './casting.ts';
import { isPause, LEFT, refusalWords } from './command.ts';
import { handOver } from './inbox.ts';
import { hasEnded, lifeOf, open } from './fold.ts';
import { assertIntact } from './intact.ts';
import { load, type Loadable, type Loaded } from './load.ts';
import { definitionOf, type LoopDefinition } from './loop-definition.ts';
import type { Letter, Verdict } from './mailbox.ts';
import { record, type Redact } from './react.ts';
import { LoopRun, type PausedBy, type RunEnd, type Surroundings } from './run.ts';
import { loopNamed } from './loop-named.ts';
import { STOPPED_BY_PARENT, takenUp } from './taking-up.ts';
import { settleUnserved } from './unserved.ts';
import { isWaiting, waitsForPerson } from './waiting.ts';

/** How long a tree is kept for runs that were told to stop and have not said their last word. */
const LEAVE_LIMIT_MS = 10_000;

export interface TreeParts {
  readonly log: Log;
  readonly casting: Casting;
  readonly lease: Lease;
  readonly now: () => number;
  readonly newRunId: () => string;
  readonly redact: Redact;
  readonly loops: readonly LoopDefinition[];
}

export interface RunDelta extends Delta {
  readonly run: string;
  readonly effect: string;
}

/** A run and the runs it opened, under one lease, in one process. */
export class Tree implements Surroundings {
  readonly log: Log;
  readonly epoch: number;
  /** Every fact of the tree, once it is durable. */
  readonly facts = new Subject<Envelope>();
  /** What is being said right now. Never logged. */
  readonly deltas = new Subject<RunDelta>();
  readonly #waiting = new BehaviorSubject(false);
  readonly #parts: TreeParts;
  readonly #runs = new Map<string, LoopRun>();
  readonly #chores: NodeJS.Timeout[] = [];
  /** Inbox entries whose pause is under way. */
  readonly #pauses = new Set<number>();
  /** Runs whose parents are being told whether they wait. */
  readonly #informing = new Set<string>();
  #pausedBy: PausedBy = 'signal';
  #reading: Promise<void> = Promise.resolve();

  constructor(parts: TreeParts) {
    this.#parts = parts;
    this.log = parts.log;
    this.epoch = parts.lease.epoch;
  }

  /** Opens a new run in this tree. */
  async begin(run: string, asked: RunSettings, parentEffect?: string): Promise<LoopRun> {
    const { redact, loops } = this.#parts;
    const settings = redact(asked as Json) as RunSettings;
    const loop = loopNamed(settings.loop, loops);
    const started: EventOf<'run.started'> = {
      type: 'run.started',
      payload: { machine: loop.id, settings, ...(loop.module ? { module: loop.module } : {}), program: PROGRAM },
    };
    const opened = open(record(started, 1, new Date(this.now()).toISOString()), [loop]);
    if (opened.kind !== 'opened') throw new Error(`${loop.id} does not open its own run`);
    const stage = { run, settings, loop, redact, cast: this.#parts.casting(run, settings, loop) };
    return this.#enter(await LoopRun.begin(stage, opened.state, started, this, parentEffect));
  }

  /** Takes up a run that was loaded from the log, with the fact that says why. */
  async reopen(run: string, loaded: LoadedRun, first: Letter): Promise<LoopRun> {
    const { settings, cast, state } = loaded;
    const { redact, loops } = this.#parts;
    const loop = definitionOf(state.entry.id, loops);
    return this.#enter(await LoopRun.reopen({ run, settings, loop, cast, redact }, state, first, this));
  }

  /** Pauses the whole tree: its root tells those below it. */
  async pause(by: PausedBy, entry?: number): Promise<Verdict> {
    const root = this.#runs.get(this.#parts.lease.root);
    if (!root) return { kind: 'rejected', because: 'left' };
    this.#pausedBy = by;
    return root.pause(by, entry);
  }

  /** Whether nothing is left to do until a person has answered. */
  get isWaiting(): boolean {
    return this.#waiting.value;
  }

  /** The same as it changes, from now on. Completes when the tree is left. */
  get waiting(): Observable<boolean> {
    return this.#waiting.pipe(distinctUntilChanged());
  }

  now(): number {
    return this.#parts.now();
  }

  publish(envelopes: readonly Envelope[]): void {
    for (const envelope of envelopes) this.facts.next(envelope);
    this.#lookWhoWaits();
  }

  delta(run: string, effect: string, delta: Delta): void {
    this.deltas.next({ run, effect, ...delta });
  }

  async *child(performance: ChildPerformance, call: EffectCall): AsyncIterable<LoopEvent> {
    const end = await this.#childEnd(performance, call);
    if (end?.kind === 'refused') yield end.event;
    if (end?.kind !== 'ended') return;
    const { run, outcome, answer, spend, steering } = end;
    const said = steering.length === 0 ? {} : { steering: [...steering] };
    const { callId } = performance;
    yield { type: 'child.settled', payload: { child: run, outcome, answer, spend, ...said, ...(callId === null ? {} : { callId }) } };
  }

  /** Keeps the lease until the tree is left. */
  keepLease(): void {
    const { log, lease } = this.#parts;
    const renew = async () => {
      const renewed = await log.renew(lease);
      if (renewed.kind !== 'lost') return;
      for (const run of this.#runs.values()) run.lose(`epoch ${renewed.epoch} has taken over`);
    };
    this.#chores.push(setInterval(() => void renew().catch(() => {}), LEASE_RENEW_MS));
  }

  /** Reads the inbox until the tree is left. */
  readInbox(): void {
    let isReading = false;
    const look = () => {
      if (isReading) return;
      isReading = true;
      this.#reading = this.#deliver()
        .catch(() => {})
        .finally(() => {
          isReading = false;
        });
    };
    this.#chores.push(setInterval(look, INBOX_POLL_MS));
    look();
  }

  /** Gives the lease back. Runs that are still ending do so first, and commands that came too late are answered. */
  async leave(): Promise<void> {
    const last = new AbortController();
    const late = delay(LEAVE_LIMIT_MS, undefined, { signal: last.signal }).catch(() => {});
    const over = Promise.allSettled([...this.#runs.values()].map(({ done }) => done));
    await Promise.race([over, late]).finally(() => last.abort());
    for (const chore of this.#chores.splice(0)) clearInterval(chore);
    await this.#reading;
    // Whoever watches is let go, also where the log can no longer be written.
    await this.#release().finally(() => {
      this.facts.complete();
      this.deltas.complete();
      this.#waiting.complete();
    });
  }

  async #release(): Promise<void> {
    const { log, lease, casting, redact, now, loops } = this.#parts;
    const { root, epoch } = lease;
    for (;;) {
      const released = await log.release(lease);
      if (released.kind !== 'inbox_waiting') return;
      const abort = await settleUnserved({ log, casting, redact, root, epoch, now, loops });
      if (abort) await log.reject(abort.id, LEFT);
    }
  }

  async #deliver(): Promise<void> {
    const { log, lease, loops } = this.#parts;
    for (const entry of await log.inbox(lease.root)) {
      if (this.#pauses.has(entry.id)) continue;
      await handOver({ log, loops }, entry, [...this.#runs.values()], async (run, command, id) => {
        if (!isPause(command)) return run.post(command, id);
        // It may take the whole grace, in which other commands must get through.
        this.#pauses.add(id);
        void this.#pauseFor(id, command.payload.by);
        return { kind: 'accepted', version: run.state.version };
      });
    }
  }

  async #pauseFor(entry: number, by: PausedBy): Promise<void> {
    const verdict = await this.pause(by, entry);
    const loop = this.#runs.get(this.#parts.lease.root)?.loop;
    if (!loop || verdict.kind !== 'rejected' || verdict.because === 'left') return;
    const { because } = verdict;
    await this.log.reject(entry, refusalWords({ type: 'run.paused', payload: { by } }, { because, loop })).catch(() => {});
  }

  #lookWhoWaits(): void {
    const runs = [...this.#runs.values()];
    this.#waiting.next(isWaiting(runs));
    for (const run of runs) {
      const parent = run.parent === null ? undefined : this.#runs.get(run.parent);
      if (parent && !this.#informing.has(run.id)) void this.#inform(parent, run);
    }
  }

  /** A parent's clock stands still while all that it waits for is a person, whoever of its children asks. */
  async #inform(parent: LoopRun, child: LoopRun): Promise<void> {
    const { outstanding, snapshot } = parent.state;
    const performed = outstanding.find(({ effect }) => `${parent.id}/${effect}` === child.performs);
    if (!performed || hasEnded(child.state)) return;
    const { key, input } = performed;
    const { pending, waitingSince }: Life = snapshot.context;
    const isAsked = waitsForPerson(child);
    // Where one of several children waits, its parent notes whose; where there is one, only since when.
    if (isAsked === (pending[key] === 'waiting' || waitingSince !== null)) return;
    const { callId } = input;
    this.#informing.add(child.id);
    const payload = { child: child.id, ...(callId === undefined ? {} : { callId }) };
    const told = await parent.post({ type: isAsked ? 'child.asked' : 'child.answered', payload });
    this.#informing.delete(child.id);
    if (told.kind === 'accepted') this.#lookWhoWaits();
  }

  #enter(run: LoopRun): LoopRun {
    this.#runs.set(run.id, run);
    this.#lookWhoWaits();
    return run;
  }

  async #childEnd(performance: ChildPerformance, call: EffectCall): Promise<ChildEnd | NotOpened | null> {
    const known = await this.log.findByParentEffect(call.id);
    const run = known ? await this.#takeUpChild(known.run, call) : await this.#openChild(performance, call);
    if (run === null || 'kind' in run) return run;
    const stop = () => {
      const why: Stopped = call.signal.reason;
      if (why === 'pause') void run.pause(this.#pausedBy);
      else void run.post(STOPPED_BY_PARENT);
    };
    if (call.signal.aborted) stop();
    else call.signal.addEventListener('abort', stop, { once: true });
    const end = await run.done;
    call.signal.removeEventListener('abort', stop);
    this.#runs.delete(run.id);
    return { ...end, run: run.id, steering: run.steering };
  }

  /** Null: it is not wanted any more. */
  async #openChild({ settings, notStarted }: ChildPerformance, call: EffectCall): Promise<LoopRun | NotOpened | null> {
    const asked = call.signal.aborted ? null : await settings(call);
    if (asked?.kind === 'refused') return asked;
    if (asked && !call.signal.aborted) return this.begin(this.#parts.newRunId(), asked.settings, call.id);
    if (!notStarted || call.signal.reason !== ('abort' satisfies Stopped)) return null;
    return { kind: 'refused', event: notStarted };
  }

  /** A child from before a crash: already over, or to be resumed. */
  async #takeUpChild(run: string, call: EffectCall): Promise<LoopRun | ChildEnd> {
    await assertIntact(this.log, run);
    const loaded = await load(this.log, run, this.#parts.casting, this.#parts.loops);
    if (loaded.kind !== 'loaded') throw new Error(`child run ${run} cannot be folded: ${loaded.kind}`);
    const { outcome, spend } = lifeOf(loaded.state);
    if (hasEnded(loaded.state) && outcome) {
      const { cast } = loaded;
      return { kind: 'ended', outcome, spend, answer: cast.answer(), run, steering: cast.steering() };
    }
    return this.reopen(run, loaded, { event: takenUp(loaded.idleSince, this.now(), call.signal), causation: null });
  }
}

type ChildEnd = RunEnd & { readonly run: string; readonly steering: readonly string[] };
type NotOpened = Extract<ChildSettings, { kind: 'refused' }>;
type LoadedRun = Extract<Loaded<Loadable>, { kind: 'loaded' }>;
