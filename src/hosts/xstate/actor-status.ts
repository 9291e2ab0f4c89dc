import type { StateValue } from 'xstate';
import type { Spend } from '../../../machines/outcome.ts';
import type { Envelope } from '../../log/envelope.ts';
import { Reading } from '../../log/reading.ts';
import { unreadableText } from '../../log/unreadable.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import { fold, lifeOf, open, type RunState } from '../../kernel/fold.ts';
import { startOf } from '../../runtime/intact.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { PausedBy } from '../../runtime/run-end.ts';
import { inspectedValue } from './chart-inspection.ts';
import type { NotFolded } from '../../runtime/load-run.ts';

const REMEDY = {
  unknown_run: 'Open the log that the run was started in.',
  unknown_machine: 'Restore it with the version of loopfold that wrote it.',
  unreadable: 'Restore it with the version of loopfold, and the modules of loops, that wrote it.',
  not_root: 'Restore the run at the top of its tree.',
} as const;

/** The run of an actor cannot be resumed. Nothing was changed. The message ends with what to do. */
export class RunUnavailableError extends Error {
  override readonly name = 'RunUnavailableError';
  readonly code: keyof typeof REMEDY;
  readonly run: string;

  constructor(code: RunUnavailableError['code'], run: string, detail: string) {
    super(`run ${run}: ${detail}. ${REMEDY[code]}`);
    this.code = code;
    this.run = run;
  }
}

/** The log does not have the run. */
export const unknownRun = (run: string) => new RunUnavailableError('unknown_run', run, 'this log does not know it');

/** This program, with its loops, cannot fold the run. */
export function notFoldable(run: string, why: NotFolded): RunUnavailableError {
  if (why.kind === 'unknown_machine')
    return new RunUnavailableError('unknown_machine', run, `${why.machine}, which wrote it, is not known here`);
  return new RunUnavailableError(
    'unreadable',
    run,
    `version ${why.version} of run ${why.run}, ${why.type}, cannot be read: ${unreadableText(why)}`,
  );
}

/** The status of a run as of one of its facts. */
export interface ActorStatus {
  readonly version: number;
  /** One of the nine states of every loop: `stream`, `tools`, `verify`, `decide`, or an ending. */
  readonly state: string;
  /** Its state on the chart that the inspector shows. */
  readonly value: StateValue;
  /** Who paused it, while it is paused. */
  readonly paused: PausedBy | null;
  /** Includes the spend of attempts that are over. */
  readonly spend: Spend;
}

/** A run folded along with its log. */
export class Follower {
  readonly #run: string;
  readonly #loops: readonly LoopDefinition[];
  readonly #reading: Reading;
  #state: RunState | null;
  #paused: ActorStatus['paused'];

  constructor(run: string, state: RunState | null, paused: ActorStatus['paused'], loops: readonly LoopDefinition[]) {
    this.#run = run;
    this.#loops = loops;
    // Every fact is parsed here: the actor emits all of them.
    this.#reading = new Reading(loops, { isWhole: true, ...(state ? { machine: state.entry.id } : {}) });
    this.#state = state;
    this.#paused = paused;
  }

  /**
   * The status after one more fact. Throws a `RunUnavailableError` where this version of the program cannot fold it.
   */
  next(envelope: Envelope): ActorStatus {
    const read = this.#reading.read(envelope);
    if (read.kind === 'unreadable') {
      const what = `version ${read.version}, ${read.type}, cannot be read: ${unreadableText(read)}`;
      throw new RunUnavailableError('unreadable', this.#run, what);
    }
    const fact = read.event;
    const state = this.#state ? fold(this.#state, fact) : this.#opened(fact);
    if (fact.type === 'run.paused') this.#paused = fact.payload.by;
    if (!state.paused) this.#paused = null;
    this.#state = state;
    const { value } = state.snapshot;
    const name = typeof value === 'string' ? value : (Object.keys(value)[0] ?? '');
    return {
      version: state.version,
      state: name,
      value: inspectedValue(state.entry, value),
      paused: this.#paused,
      spend: lifeOf(state).spend,
    };
  }

  #opened(fact: Fact): RunState {
    const opened = open(startOf(this.#run, fact), this.#loops);
    if (opened.kind === 'opened') return opened.state;
    throw new RunUnavailableError(
      'unknown_machine',
      this.#run,
      `it was written by ${opened.machine}, which is not known here`,
    );
  }
}
