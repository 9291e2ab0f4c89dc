import type { AnyEvent, Usage, Remade, Share } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import type { RunSettings, Limits } from '../../machines/settings.ts';
import type { EffectCall, EffectClass } from '../actors/actor.ts';
import type { Said } from '../actors/model/ask-within.ts';
import type { Asked } from './call-kinds.ts';
import type { RunContext } from './effect-handlers.ts';
import type { Outstanding } from './fold.ts';
import type { RunMemory, LoopMemory } from './loop-memory.ts';

/** How a crash, an abort and a pause treat an effect. */
export interface EffectSpec {
  /**
   * `repeatable`, `reconcilable`, `once`: see `EffectClass`. `child`: a run of its own. `by input`: the actor says
   * which of the first three, for each input. A handler that comes with a loop cannot say that, nor be asked whether
   * something has happened: for its effects `reconcilable` and `by input` mean `once`.
   */
  readonly class: EffectClass | 'child' | 'by input';
  /**
   * The event recorded for an effect that was stopped or lost. Null, or a function that returns null: the machine does
   * not wait for it, and nothing is recorded. That is refused for an effect that is not repeatable.
   */
  readonly interrupted: ((one: Outstanding, how: Interruption) => AnyEvent | null) | null;
  /** The loop's own events that are results, by type: the key of the effect. Events of every loop need no entry. */
  readonly answers?: Readonly<Record<string, string>>;
  /**
   * A person answers it: the host waits, and `answered` turns the answer into an event. `describe.questions` has the
   * question. The chart starts it with the action `ask` of `lifeFor` in place of `awaitResult`: while nothing else is
   * pending, the run waits.
   */
  readonly asksPerson?: true;
  /** It may have used tokens when it is lost, so an interruption is recorded even where it is started again. */
  readonly spends?: true;
  /** A pure answer, recorded in the transaction that asked for it. Null, or absent: the effect is executed. */
  decide?(context: RunContext, memory: RunMemory, asked: Asked): AnyEvent | null;
  /** The run that a `child` effect opens: of any loop. Absent: a turn with the same task. */
  opens?(of: ChildOf): RunSettings;
  /** What it opens depends on what the run has found out before, so a dry run cannot show its first request. */
  readonly opensLater?: true;
  /**
   * Whether the run that it opens begins with the newest messages of the one before, by the settings of this run. They
   * are in `settings.history`. Absent: it begins without.
   */
  continues?(settings: RunSettings): boolean;
  /** Makes its handler of the services of a host, which loops that ship name. A loop's own are in its `handlers`. */
  readonly handler?: (services: never) => object;
}

export interface Interruption {
  readonly reason: string;
  /** Its whole reservation, which counts as used, where the effect may have used something. */
  readonly kept: Usage | null;
}

/**
 * Executes one effect of a loop's own. It answers with events of its vocabulary; the last one is its result. After an
 * abort (`call.signal`) it answers soon; where it does not, the event of `EffectSpec.interrupted` is recorded.
 */
export type EffectHandler = Handling['perform'];

/** As a method, so that a handler may say which context its loop has. */
interface Handling {
  perform(input: HandlerInput, call: EffectCall): AsyncIterable<AnyEvent> | Promise<AnyEvent>;
}

export interface HandlerInput<Context extends Life = Life> {
  readonly run: string;
  readonly settings: RunSettings;
  /** References that the chart starts the effect with. */
  readonly input: Outstanding['input'];
  /** The context of the machine. */
  readonly context: Context;
  /** The newest answer: of the run's model, or of its last child. */
  readonly answer: string;
  /**
   * Asks a model one question, within the effect's reservation, or else within what is left of the budget.
   */
  readonly ask: (question: Question) => Promise<Said>;
}

export interface Question {
  readonly prompt: string;
  readonly system?: string;
  /** Absent: the run's model. */
  readonly model?: string;
}

/** What a loop knows when it opens a child run. */
export interface ChildOf {
  /** The parent's settings, as continuations have changed them. */
  readonly settings: RunSettings;
  readonly run: string;
  /** Full id of the effect that opens the child. */
  readonly effect: string;
  /** Which of several children at once it is. Absent: the only one. */
  readonly lane?: string;
  /** The parent's round that opens it, 0-based. */
  readonly iteration: number;
  /** The parent's limits now. */
  readonly limits: Limits;
  readonly attemptLimits: Limits;
  /** What is left of the parent's budget for the child. */
  readonly share: Pick<Share, 'tokens' | 'nanoUsd'>;
  readonly feedback: string | null;
  /** Steering texts of people since the run was started, oldest first. */
  readonly steering: readonly string[];
  /** From what the worktree was made again since the attempt before, or during it. Null: it was not. */
  readonly remade: Remade | null;
  /** What the parent's loop remembers. */
  readonly memory: LoopMemory;
}
