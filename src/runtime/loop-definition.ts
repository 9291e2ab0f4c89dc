import type { z } from 'zod';
import type { AnyEvent, Reservation, Share, Usage } from '../../machines/events.ts';
import type { CatalogueEntry, Migration } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import type { Spend } from '../../machines/outcome.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';
import type { EffectCall, EffectClass } from '../actors/actor.ts';
import type { Said } from '../actors/model/ask-within.ts';
import type { Message } from '../actors/model/model.ts';
import type { DetectorTerm } from '../detectors/terms.ts';
import type { IterationCompleteEvent } from '../strategies/strategy.ts';
import type { FactOf, Situation } from './cast.ts';
import type { ChildOf } from './child.ts';
import type { Evidence } from './evidence.ts';
import type { Outstanding } from './fold.ts';
import type { Advice } from './judging.ts';
import type { LoopDescription } from './loop-description.ts';
import type { LoopMemory, RunMemory } from './loop-memory.ts';
import type { OwnJudgement } from './own-judgement.ts';
import type { Ranking } from './ranking.ts';
import type { Rounds } from './rounds.ts';
import type { Decision } from './verdict.ts';

/**
 * Everything that a loop alone knows. The runtime, the log, the read models and the command line ask it, and name no loop,
 * no effect and no event of a loop themselves.
 *
 * Its functions are pure: they read what is handed to them, and no clock, file or network.
 */
export interface LoopDefinition extends CatalogueEntry {
  readonly rounds: Rounds;
  /** By the name (`src`) under which the chart starts them. An effect without an entry makes no loop. */
  readonly effects: Readonly<Record<string, EffectSpec>>;
  /** Whether the run goes on, and why. `advice` is what the run's strategy says, where the loop asks one: see `hears`. */
  judge(evidence: Evidence, advice: Advice | null): Decision;
  /** What its strategy is told about the round that is over. Null before the first; absent: no strategy is asked. */
  hears?(evidence: Evidence): IterationCompleteEvent | null;
  /**
   * What its judge and its effects rest on beside the machine's context. `earlier` is what the version before this one has
   * remembered, where a run is migrated to this one.
   */
  remember?(run: string, settings: RunSettings, earlier?: LoopMemory): LoopMemory;
  /** How its runs go on under a later version. Without one they stay with it to their end. */
  readonly migration?: Migration & { readonly to: LoopDefinition };
  /** Its pure answers that limits and findings decide too, beside the judge's, by the type of the event. */
  readonly judgements?: Readonly<Record<string, OwnJudgement>>;
  /** What is set aside for the round that a decision has just asked for. Null: nothing. */
  reserve?(situation: Situation, memory: RunMemory): Share | Reservation | null;
  /** What one of its events sets aside, by the key of the effect that may use it. The result of that effect frees it. */
  setsAside?(event: AnyEvent): Readonly<Record<string, Share | Reservation>>;
  /** Whether a result asks for its own effect once more, so that what is set aside for it stays so. */
  asksAgain?(event: AnyEvent): boolean;
  /**
   * One of its own events in the terms that detectors know. Absent: they see the recorded fact as it is. It is not asked about
   * events of every loop (`run.*`, `child.settled` and the like): detectors always see those.
   */
  observe?(fact: FactOf<AnyEvent>): readonly DetectorTerm[];
  /** What an event adds to what is spent, beside its `usage` and what a child has spent. */
  spend?(event: AnyEvent): Partial<Spend>;
  /** Events of its own that a person may send from anywhere, and why one was not taken. */
  readonly commands?: Readonly<Record<string, (payload: never) => string>>;
  /** What a person's answer to one of its questions is: one of its `commands`. Needed where an effect says `asksPerson`. */
  answered?(callId: string, given: GivenAnswer): AnyEvent;
  /** The conversation that the next prompt rests on, where the loop has one. `earlier` as for `remember`. */
  conversation?(earlier?: Conversation): Conversation;
  /** Its own options, and what bounds it. */
  readonly settings?: LoopSettings;
  readonly ranking?: Ranking;
  readonly describe: LoopDescription;
  /** The functions that perform its own effects, by name. A host performs the effects that all loops share. */
  readonly handlers?: Readonly<Record<string, EffectHandler>>;
}

export { loopNameOf, newestOf } from '../../machines/index.ts';

/** What a crash, an abort and a pause make of an effect. */
export interface EffectSpec {
  /**
   * `repeatable`, `reconcilable`, `once`: see `EffectClass`. `child`: a run of its own. `by input`: who performs it says which
   * of the first three, for each input. A handler that comes with a loop says nothing of that, and cannot be asked whether
   * something has happened: of such an effect `reconcilable` and `by input` are as `once`.
   */
  readonly class: EffectClass | 'child' | 'by input';
  /**
   * What is recorded for one that was stopped or lost, and will not answer. Null, or a function that says null: nobody
   * waits for its last result, and nothing is recorded. That is refused for an effect that is not repeatable.
   */
  readonly interrupted: ((one: Outstanding, how: Interruption) => AnyEvent | null) | null;
  /** Events of its own that are its result, by type: the key it was started under. Those of every loop are known. */
  readonly answers?: Readonly<Record<string, string>>;
  /**
   * A person performs it: the host waits, and `answered` says which event the answer is. What is asked stands in
   * `describe.questions`. The chart starts it with the action `ask` of `lifeFor`, in the place of `owe`: while nothing else is
   * owed, the run waits.
   */
  readonly asksPerson?: true;
  /** It may have used something when it is lost, so that is recorded even where it is simply begun again. */
  readonly spends?: true;
  /** A pure answer, recorded in the transaction that asked for it. Null, or absent: it is performed. */
  decide?(situation: Situation, memory: RunMemory): AnyEvent | null;
  /** The run that a `child` effect opens: of any loop. Absent: a turn with the same task. */
  opens?(of: ChildOf): RunSettings;
}

/** What a person has said to a question. `access`: to a request for leave to read. */
export interface GivenAnswer {
  readonly answer: string;
  readonly access?: { readonly granted: boolean; readonly path: string };
}

export interface Interruption {
  readonly reason: string;
  /** All that was set aside for it, where it may have used something: it counts as used. */
  readonly kept: Usage | null;
}

export interface Conversation {
  observe(fact: FactOf<AnyEvent>): void;
  /** Oldest first. */
  messages(): readonly Message[];
  /** The newest thing that was said. */
  answer(): string;
}

export interface LoopSettings {
  /** Of `settings.options`: what only this loop asks for, an object. A run is refused whose options do not fit. */
  readonly options?: z.ZodType;
  /** The caps that bound it: at least one of them must be set. */
  readonly bounds: readonly (keyof Limits)[];
  /** Caps that hold for each of its children, and not for the run. */
  readonly ofChildren?: readonly (keyof Limits)[];
  /** What it verifies has to have a name: it works in git alone, and captures the workspace as it finds it. */
  readonly needsGit?: true;
}

/**
 * Performs one effect of a loop's own. It answers with events of its vocabulary; the last one is its result. Told to stop
 * (`call.signal`), it answers soon; where it does not, what `EffectSpec.interrupted` says is recorded.
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
  /** What the machine remembers. */
  readonly context: Context;
  /** The newest thing that the run's work has said: the answer of its last child, or of its model. */
  readonly answer: string;
  /** Asks a model one thing, within what the chart has set aside for the effect, or else within what is left of the budget. */
  readonly ask: (question: Question) => Promise<Said>;
}

export interface Question {
  readonly prompt: string;
  readonly system?: string;
  /** Absent: the run's model. */
  readonly model?: string;
}

/** The definition that folds runs of a machine. Throws where there is none: the run was folded by one of them. */
export function definitionOf(machine: string, loops: readonly LoopDefinition[]): LoopDefinition {
  const found = loops.find(({ id }) => id === machine);
  if (!found) throw new Error(`no definition of ${machine}; known: ${loops.map(({ id }) => id).join(', ')}`);
  return found;
}

/** What an outstanding effect is by its loop. */
export function specOf({ actor }: Pick<Outstanding, 'actor'>, { effects, id }: LoopDefinition): EffectSpec {
  const spec = effects[actor];
  if (!spec) throw new Error(`${id} starts ${actor}, and its definition does not say what that is: add it to effects`);
  return spec;
}

/** Whether the machine waits for an effect's last result. */
export const owesResult = (one: Outstanding, loop: LoopDefinition): boolean =>
  specOf(one, loop).interrupted?.(one, { reason: '', kept: null }) != null;
