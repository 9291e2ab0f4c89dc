import type { EventOf } from '../../machines/events.ts';
import { JUDGE } from '../../machines/life.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';
import type { Fact, RunContext } from '../kernel/effect-handlers.ts';
import { hasEnded, lifeOf, type RunState } from '../kernel/fold.ts';
import { followed, opened } from './follow-facts.ts';
import { JudgeMemory } from '../judging/judge-memory.ts';
import { judged, judgedSlowly, judgedWith, strategyLimits } from '../judging/judgement.ts';
import { definitionOf, type LoopDefinition } from '../kernel/loop-definition.ts';
import type { Decision } from '../kernel/decision.ts';
import type { LoopStrategy } from '../strategies/strategy.ts';
import { concluded, type Redecided } from './conclusion.ts';
import {
  builtInNames,
  isOlderThanTheChoice,
  isStrategy,
  limitsUnder,
  type Names,
  type OtherJudge,
  watching,
} from './other-judge.ts';
import { answeredAgain, decidedAgain, type Redecision } from './redecision.ts';
import { type Saving, usedAt } from './saving.ts';

/**
 * What another judge would have decided in a recorded run, decision by decision. It is asked about the same events and
 * the same states: no model, tool, network, disk or clock is touched. `facts` are the events of one run, in order, a
 * shared prefix included; child runs, such as attempts, are not asked about: see `Redecided.children`.
 *
 * Once the other judge gives the model different feedback or ends the run, later events belong to a history that would
 * not have happened; where it continues although the recording ended, nothing is known: see `Redecided`.
 *
 * @example
 * const facts: Fact[] = [];
 * for await (const envelope of log.read(run)) facts.push(factOf(envelope));
 * const { conclusion, saved } = await redecide(facts, { detectors: ['strict'] });
 */
export async function redecide(
  facts: readonly Fact[],
  other: OtherJudge = {},
  names: Names = builtInNames(other.traits),
): Promise<Redecided> {
  const [first] = facts;
  if (first?.type !== 'run.started')
    throw new TypeError(`facts: expected run.started first, found ${first?.type ?? 'nothing'}`);
  const run = facts.at(-1)?.run ?? first.run;
  const { machine, settings } = first.payload;
  opened(first, names, run);
  const loop = definitionOf(machine, names.loops);
  const redeciding = new Redeciding({ run, settings, loop }, other, names);
  try {
    for (const fact of facts) {
      // Only an asynchronous strategy has to be awaited.
      const waited = redeciding.observe(fact);
      if (waited) await waited;
    }
    return redeciding.result();
  } finally {
    await redeciding.release();
  }
}

interface Asked {
  /** The effect of the pending judgement, and the time it was started. */
  readonly judge: string;
  readonly decision: Decision | null;
  readonly after: number;
  readonly used: Saving;
}

class Redeciding {
  readonly #run: string;
  readonly #other: OtherJudge;
  readonly #names: Names;
  readonly #settings: RunSettings;
  readonly #memory: JudgeMemory;
  readonly #redecisions: Redecision[] = [];
  readonly #children: string[] = [];
  #configured: RunSettings['strategy'];
  #strategy: LoopStrategy | null = null;
  #state: RunState | null = null;
  #asked: Asked | null = null;
  #limits: (Pick<Recording, 'loop'> & Pick<RunSettings, 'strategy'> & KnownLimits) | null = null;

  constructor({ run, settings, loop }: Recording, other: OtherJudge, names: Names) {
    this.#run = run;
    this.#settings = settings;
    this.#other = other;
    this.#names = names;
    this.#configured = settings.strategy;
    this.#memory = new JudgeMemory(run, settings, watching(other, names), loop);
  }

  observe(fact: Fact): Promise<void> | null {
    const before = this.#state;
    if (before) this.#compare(fact, before);
    if (fact.type === 'child.settled') this.#children.push(fact.payload.child);
    const state = before ? followed(before, fact) : opened(fact, this.#names);
    this.#state = state;
    this.#memory.observe(fact.type === 'decision.made' ? this.#asDecided(fact) : fact);
    return fact.type === 'run.continued' ? this.#continue(fact.payload.strategy, state) : this.#ask(state);
  }

  async release(): Promise<void> {
    if (this.#strategy && this.#strategy !== this.#other.strategy) await this.#names.release(this.#strategy);
  }

  result(): Redecided {
    const state = this.#state;
    if (!state) throw new Error('no fact was observed');
    const { loop } = this.#settings;
    const made = {
      run: this.#run,
      loop,
      parent: this.#settings.parent,
      children: this.#children,
      hasEnded: hasEnded(state),
    };
    return concluded(made, this.#redecisions, this.#usedAt(state));
  }

  async #continue(configured: RunSettings['strategy'], state: RunState): Promise<void> {
    await this.release();
    this.#configured = configured;
    this.#strategy = null;
    await this.#ask(state);
  }

  #compare(fact: Fact, before: RunState): void {
    const { run, version, at } = fact;
    if (fact.type === 'decision.made') {
      if (!this.#asked?.decision) return;
      const { after, used } = this.#asked;
      const strategy = this.#memory.loop.strategyInput ? this.#strategy : NO_STRATEGY;
      const decision = judgedWith(fact.payload.opinions, this.#asked.decision, () => ({
        context: this.#situation(before),
        memory: this.#memory,
        strategy,
      }));
      this.#redecisions.push(
        decidedAgain({ run, version, at, after, used }, fact.payload, this.#asWordedThen(decision)),
      );
      return;
    }
    const own = this.#memory.loop.judgements?.[fact.type];
    if (!own) return;
    const { callKind } = this.#names;
    const asked = { state: this.#under(before), settings: this.#settings, memory: this.#memory, callKind };
    const where = { run, version, at, ...this.#placeOf(before) };
    this.#redecisions.push(answeredAgain(where, own, fact.payload, own.again(fact.payload, asked)));
  }

  #asWordedThen(decision: Decision): Decision {
    if (this.#other.detectors || !isOlderThanTheChoice(this.#settings)) return decision;
    const { findings: _, ...worded } = decision;
    return worded;
  }

  /** A strategy gets its own metadata back, not that of the strategy it replaces. */
  #asDecided(fact: Fact & EventOf<'decision.made'>): Fact {
    const { strategy: _, ...payload } = fact.payload;
    const own = this.#asked?.decision?.strategy;
    return { ...fact, payload: own ? { ...payload, strategy: own } : payload };
  }

  /**
   * Asks when the recorded judge was asked, and again where it was asked again: events in between were not in its
   * evidence.
   */
  #ask(state: RunState): Promise<void> | null {
    const outstanding = state.outstanding.find(({ key, told }) => key === JUDGE && !told);
    if (!outstanding) return null;
    const judge = `${outstanding.effect} ${outstanding.attempt}`;
    if (this.#asked?.judge === judge) return null;
    const asked = { judge, ...this.#placeOf(state) };
    const situation = this.#situation(state);
    if (!this.#memory.loop.strategyInput) {
      this.#asked = { ...asked, decision: judged(situation, this.#memory, NO_STRATEGY) };
      return null;
    }
    this.#strategy ??= this.#strategyIn(situation);
    const strategy = this.#strategy;
    const decision = judged(situation, this.#memory, strategy);
    this.#asked = { ...asked, decision };
    return decision ? null : this.#askSlowly(asked, situation, strategy);
  }

  async #askSlowly(asked: Omit<Asked, 'decision'>, situation: RunContext, strategy: LoopStrategy): Promise<void> {
    const { signal } = new AbortController();
    this.#asked = { ...asked, decision: await judgedSlowly(situation, this.#memory, strategy, { signal }) };
  }

  #strategyIn({ state, settings }: RunContext): LoopStrategy {
    const { strategy } = this.#other;
    if (strategy && isStrategy(strategy)) return strategy;
    return this.#names.strategyOf({
      configured: strategy ?? this.#configured,
      limits: strategyLimits(this.#memory.loop, lifeOf(state).limits),
      directory: settings.directory,
    });
  }

  #placeOf(state: RunState): Pick<Asked, 'after' | 'used'> {
    return { after: this.#memory.loop.rounds.count(lifeOf(state)), used: this.#usedAt(state) };
  }

  #usedAt(state: RunState): Saving {
    return usedAt(state, this.#memory.loop.rounds);
  }

  #situation(state: RunState): RunContext {
    return { run: this.#run, settings: this.#settings, state: this.#under(state), at: state.at };
  }

  /** The state under the other limits. The deadline has passed where their time is used up. */
  #under(state: RunState): RunState {
    if (!this.#other.limits && !this.#other.strategy) return state;
    const life = lifeOf(state);
    const limits = this.#limitsUnder(life.limits);
    const deadlinePassed =
      limits.maxTimeMs === life.limits.maxTimeMs ? life.deadlinePassed : isUsedUp(limits, this.#usedAt(state));
    const context = { ...life, limits, deadlinePassed };
    return { ...state, snapshot: { ...state.snapshot, context } as RunState['snapshot'] };
  }

  /** The other limits in place of the recorded ones, which change with a continuation and a migration at most. */
  #limitsUnder(recorded: Limits): Limits {
    const { loop } = this.#memory;
    const strategy = this.#configured;
    const before = this.#limits;
    if (before?.recorded === recorded && before.loop === loop && before.strategy === strategy) return before.limits;
    const limits = limitsUnder(this.#other, recorded, { loop, strategy });
    this.#limits = { recorded, loop, strategy, limits };
    return limits;
  }
}

interface KnownLimits {
  readonly recorded: Limits;
  /** Those in place of them. */
  readonly limits: Limits;
}

interface Recording {
  readonly run: string;
  readonly settings: RunSettings;
  readonly loop: LoopDefinition;
}

/** Stands for the strategy of a loop that asks none. */
const NO_STRATEGY: LoopStrategy = {
  name: 'none',
  onIterationComplete: () => Promise.reject(new Error('it asks no strategy')),
};

const isUsedUp = ({ maxTimeMs }: Limits, { timeMs }: Saving): boolean => maxTimeMs !== null && timeMs >= maxTimeMs;
