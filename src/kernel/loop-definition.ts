import type { z } from 'zod';
import type { AnyEvent, Recorded } from '../../machines/events.ts';
import type { CatalogueEntry, Migration } from '../../machines/index.ts';
import type { Life } from '../../machines/life.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';
import type { ConfigFault } from '../options/config-fault.ts';
import type { Message } from '../actors/model/model.ts';
import type { Activity, FactOf } from './effect-handlers.ts';
import type { EffectHandler, EffectSpec } from './effect-spec.ts';
import type { Outstanding } from './fold.ts';
import type { LoopJudging } from './loop-judging.ts';
import type { GivenAccess, GivenApproval, GivenForm, LoopDescription } from './loop-description.ts';
import type { Ranking, Rounds } from './loop-ranking.ts';

/**
 * Everything specific to a loop. The runtime, the log, the read models and the command line read it, and name no loop,
 * no effect and no event of a loop themselves.
 *
 * Its functions are pure: they read their arguments, and no clock, file or network.
 */
export interface LoopDefinition extends CatalogueEntry, LoopJudging {
  readonly rounds: Rounds;
  /** By the name (`src`) under which the chart starts them. Every effect of the chart needs an entry. */
  readonly effects: Readonly<Record<string, EffectSpec>>;
  /** How its runs continue under a later version. Absent: they keep this version to their end. */
  readonly migration?: Migration & { readonly to: LoopDefinition };
  /** Events of its own that a person may send from anywhere, and why one was not taken. */
  readonly commands?: Readonly<Record<string, (payload: never) => string>>;
  /**
   * Turns a person's answer to one of its questions into an event, one of its `commands`. Needed where an effect says
   * `asksPerson`.
   */
  answered?(callId: string, given: GivenAnswer): AnyEvent;
  /** The conversation that the next prompt rests on, where the loop has one. `earlier` as for `remember`. */
  conversation?(earlier?: Conversation): Conversation;
  /** Its own options, and the caps that bound it. */
  readonly settings?: LoopSettings;
  /**
   * The activity that a fact is, for people who wait for a run; null for most facts. `context` is the machine's after
   * the fact. Absent: its runs have none.
   */
  activity?(fact: Recorded<AnyEvent>, context: Life, settings: RunSettings): Activity | null;
  readonly ranking?: Ranking;
  readonly describe: LoopDescription;
  /** The functions that execute its own effects, by name. Effects of loops that ship have theirs in `effects`. */
  readonly handlers?: Readonly<Record<string, EffectHandler>>;
}

export { loopNameOf, newestOf } from '../../machines/index.ts';

/**
 * A person's answer to a question. `access`: the answer to a request for access. `approval`: the answer to
 * a request for an approval. `digest` is of what the person has approved: record it, and let the chart take the event
 * only while the same digest is asked about. `by` is the person, where one is known.
 */
export interface GivenAnswer {
  readonly answer: string;
  readonly access?: GivenAccess;
  readonly approval?: GivenApproval;
  /** The answer to a question with a form. */
  readonly form?: GivenForm;
}

export interface Conversation {
  observe(fact: FactOf<AnyEvent>): void;
  /** Oldest first. */
  messages(): readonly Message[];
  /** Which of its messages is the task, from 0: those before it are of an earlier conversation. Absent: the first. */
  task?(): number;
  /** The newest answer. */
  answer(): string;
  /** The text of the newest message, where a call in that message gave the answer. Null: the text is the answer. */
  text?(): string | null;
  /** The tool calls that an agent with tools of its own has made for one of these messages, as it says. */
  workOf?(message: Message): readonly ReportedWork[];
  /** What such an agent has said and done since, where its answer is not there yet. Null: none is at work. */
  underWay?(): { readonly said: readonly string[]; readonly calls: readonly ReportedWork[] } | null;
}

/** A tool call of an agent of others. */
export interface ReportedWork {
  readonly kind: string;
  readonly title: string;
  readonly status: string;
}

export interface LoopSettings {
  /** The schema of `settings.options`, an object: what only this loop needs. A run with other options is refused. */
  readonly options?: z.ZodType;
  /** The caps that bound it: at least one of them must be set. */
  readonly bounds: readonly (keyof Limits)[];
  /** Caps that apply to each of its children, and not to the run. */
  readonly ofChildren?: readonly (keyof Limits)[];
  /** Names of models that its children ask, beside that of the run. */
  models?(settings: RunSettings): readonly string[];
  /** What its runs have where these options are not given. */
  readonly defaults?: LoopDefaults;
  /** Why a run of it cannot start, as faults of its options. */
  refuses?(settings: RunSettings, places: RunPlaces): readonly ConfigFault[];
  /** Where it begins with a commit, nothing else may lie in the folder: it would be forgotten. */
  readonly needsCleanStart?: true;
  /** It works in git alone, and captures the workspace as it finds it: what it verifies needs a tree hash. */
  readonly needsGit?: true;
}

/** Options of its runs, in the words of their options. */
export interface LoopDefaults {
  readonly maxIterations?: number;
  readonly maxTokens?: number;
  readonly isolate?: 'worktree';
  readonly isolateFrom?: 'HEAD';
}

/** Where a run is to work, and where its checks are to run. */
export interface RunPlaces {
  readonly isIsolated: boolean;
  readonly isProven: boolean;
}

/** The definition that folds runs of a machine. Throws where there is none: folding a run needs one. */
export function definitionOf(machine: string, loops: readonly LoopDefinition[]): LoopDefinition {
  const found = loops.find(({ id }) => id === machine);
  if (!found) throw new Error(`no definition of ${machine}; known: ${loops.map(({ id }) => id).join(', ')}`);
  return found;
}

/** The loop's specification of an outstanding effect. */
export function specOf({ actor }: Pick<Outstanding, 'actor'>, { effects, id }: LoopDefinition): EffectSpec {
  const spec = effects[actor];
  if (!spec) throw new Error(`${id} starts ${actor}, and its definition does not say what that is: add it to effects`);
  return spec;
}

/** Whether the machine waits for an effect's last result. */
export const owesResult = (one: Outstanding, loop: LoopDefinition): boolean =>
  specOf(one, loop).interrupted?.(one, { reason: '', kept: null }) != null;
