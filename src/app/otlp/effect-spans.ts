import type { RunSettings } from '../../../machines/settings.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import { hasEnded, type Outstanding } from '../../kernel/fold.ts';
import { type LoopDefinition, specOf } from '../../kernel/loop-definition.ts';
import type { Folded } from '../../projections/fold-run.ts';

/** One attempt of one effect, or a whole run, with true times. */
export interface TimedWork {
  readonly run: string;
  /** `VERSION/n`; of a run that went on after an end, the version with which it did. Null: a run to its first end. */
  readonly effect: string | null;
  readonly actor: string;
  /** `wait`: for a person. */
  readonly kind: 'run' | 'effect' | 'child' | 'wait';
  readonly attempt: number;
  /** RFC 3339. */
  readonly from: string;
  readonly to: string;
  /** The event that has ended it. Null: a pause or a crash has. */
  readonly result: Fact | null;
  /** The tool call that it answers. Null: it answers none. */
  readonly call: { readonly callId: string; readonly tool: string; readonly arguments: unknown } | null;
}

/** The things about a run that its spans say. */
export interface RunFacts {
  readonly start: Extract<Fact, { type: 'run.started' }>;
  readonly settings: RunSettings;
  readonly decisions: readonly Extract<Fact, { type: 'decision.made' }>[];
}

interface Begun {
  readonly kind: 'effect' | 'child' | 'wait';
  readonly actor: string;
  attempt: number;
  /** As it was outstanding last. */
  as: Outstanding;
  /** Null: it waits for its turn. */
  startedAt: string | null;
}

/** Timers are waits of a machine, and the judge takes no time. */
const NOTHING: readonly Outstanding[] = [];
const SILENT: ReadonlySet<string> = new Set(['timer']);

/** Collects what takes time in one run, from its facts in order. Each span is told once, when it has ended. */
export class EffectSpans {
  readonly #sharedUntil: number;
  #endings = 0;
  readonly #begun = new Map<string, Begun>();
  readonly #calls = new Map<string, NonNullable<TimedWork['call']>>();
  readonly #decisions: Extract<Fact, { type: 'decision.made' }>[] = [];
  #outstanding: readonly Outstanding[] = [];
  #start: Extract<Fact, { type: 'run.started' }> | null = null;
  #last: Fact | null = null;
  #ending: Fact | null = null;
  /** The event with which it began, or began again after it had ended. Null: it has ended. */
  #since: Fact | null = null;
  #ended: TimedWork[] = [];

  /** `sharedUntil`: the last version that a fork shares with the run that it came from, or 0. */
  constructor(sharedUntil: number) {
    this.#sharedUntil = sharedUntil;
  }

  /** The run has ended with the newest fact. */
  get hasEnded(): boolean {
    return this.#last !== null && this.#last === this.#ending;
  }

  /** Null before its start. */
  get facts(): RunFacts | null {
    if (!this.#start) return null;
    return { start: this.#start, settings: this.#start.payload.settings, decisions: this.#decisions };
  }

  /** Takes each fact of the run once, in order, and what it has led to. `now` is null where its loop is not known. */
  observe(fact: Fact, now: Folded | null): void {
    if (fact.type === 'run.started') this.#start = fact;
    if (fact.type === 'decision.made') this.#decisions.push(fact);
    if (fact.type === 'model.completed') for (const call of fact.payload.calls) this.#calls.set(call.callId, call);
    this.#compare(fact, now);
    this.#last = fact;
    if (fact.version <= this.#sharedUntil) {
      this.#ended = [];
      return;
    }
    this.#since ??= fact;
    // Nothing is outstanding in a run that has ended. Its snapshot is looked at only then.
    if (!now || this.#outstanding.length > 0 || !hasEnded(now.state)) return;
    this.#ended.push(this.#whole(this.#since, fact));
    this.#since = null;
    this.#ending = fact;
  }

  /** Takes the spans that have ended since the last time. */
  take(): readonly TimedWork[] {
    const taken = this.#ended;
    this.#ended = [];
    return taken;
  }

  /** Ends and begins what the fact has ended and begun. Most facts change nothing of what is outstanding. */
  #compare(fact: Fact, now: Folded | null): void {
    const outstanding = now?.state.outstanding ?? NOTHING;
    const before = this.#outstanding;
    if (outstanding === before) return;
    this.#outstanding = outstanding;
    if (this.#begun.size > 0) this.#endOrGoOn(fact, outstanding);
    if (!now) return;
    const isOld = holder(before);
    for (const one of outstanding) if (!isOld(one)) this.#begin(one, fact.at, now.loop);
  }

  #endOrGoOn(fact: Fact, outstanding: readonly Outstanding[]): void {
    const isUnchanged = holder(outstanding);
    let find: ReturnType<typeof finder> | null = null;
    for (const [effect, begun] of this.#begun) {
      if (isUnchanged(begun.as)) continue;
      const still = (find ??= finder(outstanding))(effect);
      if (!still) this.#end(fact.run, effect, begun, fact.at, fact);
      else this.#goOn(fact, begun, still);
    }
  }

  #begin(one: Outstanding, at: string, loop: LoopDefinition): void {
    const { effect, actor, attempt, queued } = one;
    if (SILENT.has(actor) || (this.#begun.size > 0 && this.#begun.has(effect))) return;
    const spec = specOf(one, loop);
    if (spec.decide) return;
    const own = spec.class === 'child' ? 'child' : 'effect';
    this.#begun.set(effect, {
      kind: spec.asksPerson ? 'wait' : own,
      actor,
      attempt,
      as: one,
      startedAt: queued ? null : at,
    });
  }

  /** An attempt that a pause or a crash has ended was over with the last event before. */
  #goOn({ run, at }: Fact, begun: Begun, as: Outstanding): void {
    const { effect, attempt, queued } = as;
    begun.as = as;
    if (attempt > begun.attempt) {
      this.#end(run, effect, begun, this.#last?.at ?? at, null);
      this.#begun.set(effect, { ...begun, attempt, startedAt: queued ? null : at });
    } else if (!queued) begun.startedAt ??= at;
  }

  #end(run: string, effect: string, { kind, actor, attempt, startedAt }: Begun, to: string, result: Fact | null): void {
    this.#begun.delete(effect);
    // It was called off before it began.
    if (startedAt === null) return;
    const { callId = '' } = Object(result?.payload) as { readonly callId?: string };
    const call = this.#calls.get(callId) ?? null;
    this.#ended.push({ run, effect, actor, kind, attempt, from: startedAt, to, result, call });
  }

  #whole({ run, version, at }: Fact, result: Fact): TimedWork {
    this.#endings += 1;
    const effect = this.#endings === 1 ? null : `${version}`;
    return { run, effect, actor: 'run', kind: 'run', attempt: 1, from: at, to: result.at, result, call: null };
  }
}

/** Mostly one or two effects are outstanding, sometimes thousands: from so many on they are looked up. */
const MANY = 8;

/** Tells which effects are outstanding as they were before: an effect that has changed is another object. */
function holder(outstanding: readonly Outstanding[]): (one: Outstanding) => boolean {
  if (outstanding.length < MANY) return (one) => outstanding.includes(one);
  const all = new Set(outstanding);
  return (one) => all.has(one);
}

/** Looks effects up by their names. */
function finder(outstanding: readonly Outstanding[]): (effect: string) => Outstanding | undefined {
  if (outstanding.length < MANY) return (effect) => outstanding.find((one) => one.effect === effect);
  const byEffect = new Map(outstanding.map((one) => [one.effect, one]));
  return (effect) => byEffect.get(effect);
}
