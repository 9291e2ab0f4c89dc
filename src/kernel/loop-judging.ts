import type { AnyEvent, Reservation, Share } from '../../machines/events.ts';
import type { Spend, Finding } from '../../machines/outcome.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { DetectorTerm } from '../detectors/terms.ts';
import type { IterationCompleteEvent } from '../strategies/strategy.ts';
import type { Advice, Decision, Evidence } from './decision.ts';
import type { FactOf, RunContext } from './effect-handlers.ts';
import type { LoopMemory, RunMemory } from './loop-memory.ts';
import type { LoopVerdicts } from './loop-verdicts.ts';
import type { CallKindOf } from './call-kinds.ts';

/** How a loop judges its runs: its decisions, what they rest on, and what they reserve and spend. */
export interface LoopJudging {
  /** Verdicts on changes that it integrates. Absent: it integrates none. */
  readonly verdicts?: LoopVerdicts;
  /**
   * Decides whether the run continues, and why. `advice` comes from the run's strategy, where `strategyInput` asks one.
   */
  judge(evidence: Evidence, advice: Advice | null): Decision;
  /** The strategy's input about the round that is over. Null before the first; absent: no strategy is asked. */
  strategyInput?(evidence: Evidence): IterationCompleteEvent | null;
  /**
   * What its judge and its effects read beside the machine's context. `earlier` is the memory of the version before
   * this one, where a run is migrated to this one.
   */
  remember?(run: string, settings: RunSettings, earlier?: LoopMemory): LoopMemory;
  /** Its other pure answers that depend on limits and findings, by the type of the event. `redecide` repeats them. */
  readonly judgements?: Readonly<Record<string, OwnJudgement>>;
  /** The reservation for the round that a decision has just asked for. Null: none. */
  reserve?(context: RunContext, memory: RunMemory): Share | Reservation | null;
  /**
   * The reservations that one of its events makes, by the key of the effect that may use each. The result of that
   * effect frees it.
   */
  setsAside?(event: AnyEvent): Readonly<Record<string, Share | Reservation>>;
  /** The keys of effects that one of its events says will not start: their reservations are free. */
  frees?(event: AnyEvent): readonly string[];
  /** Whether a result starts its own effect once more, so that its reservation stays. */
  asksAgain?(event: AnyEvent): boolean;
  /**
   * Translates one of its own events into the terms that detectors know. Absent: they get the recorded fact. It is not
   * called with events of every loop (`run.*`, `child.settled` and the like): detectors always get those.
   */
  observe?(fact: FactOf<AnyEvent>): readonly DetectorTerm[];
  /** What an event adds to the spend, beside its `usage` and a child's spend. */
  spend?(event: AnyEvent): Partial<Spend>;
}

/**
 * A pure answer of a loop's own that rests on limits and findings, as its decisions do: which calls may run, for
 * example. `redecide` compares what was recorded with what would be answered now.
 */
export interface OwnJudgement {
  /** A name for programs: `admission`. Not `decision`. */
  readonly kind: string;
  /** The answer of today's judge, in place of the recorded one. */
  again(recorded: OwnAnswer, asked: AskedAgain): OwnAnswer;
  /** The answer in a few words. Answers with equal words agree. */
  verdict(answer: OwnAnswer): string;
  /** Why, in one line. */
  because(answer: OwnAnswer): string;
  /** What two answers differ in: `in what is refused`. */
  readonly differs: string;
}

/** The payload of the event that holds the answer. */
export type OwnAnswer = object & { readonly findings?: readonly Finding[] | undefined };

/** The state of a run when the answer was recorded. */
export interface AskedAgain extends Pick<RunContext, 'state' | 'settings'> {
  readonly memory: RunMemory;
  readonly callKind: CallKindOf;
}
