import type { Spend } from '../../../machines/outcome.ts';
import type { Envelope } from '../../log/envelope.ts';
import { Reading } from '../../log/reading.ts';
import { unreadableText } from '../../log/unreadable.ts';
import type { Fact } from '../../runtime/cast.ts';
import { fold, lifeOf, open, type RunState } from '../../runtime/fold.ts';
import { startOf } from '../../runtime/intact.ts';
import type { LoopDefinition } from '../../runtime/loop-definition.ts';
import type { PausedBy } from '../../runtime/run.ts';
import { RunUnavailableError } from './run-unavailable-error.ts';

/** Where a run is, as of one of its facts. */
export interface Standing {
  readonly version: number;
  /** One of the nine states of every loop: `stream`, `tools`, `verify`, `decide`, or an ending. */
  readonly state: string;
  /** Who paused it, as long as it is. */
  readonly paused: PausedBy | null;
  /** Its attempts' spend is in it once they are over. */
  readonly spend: Spend;
}

/** A run folded along with its log. */
export class Follower {
  readonly #run: string;
  readonly #loops: readonly LoopDefinition[];
  readonly #reading: Reading;
  #state: RunState | null;
  #paused: Standing['paused'];

  constructor(run: string, state: RunState | null, paused: Standing['paused'], loops: readonly LoopDefinition[]) {
    this.#run = run;
    this.#loops = loops;
    // An actor passes every fact on: here they are parsed.
    this.#reading = new Reading(loops, { isWhole: true, ...(state ? { machine: state.entry.id } : {}) });
    this.#state = state;
    this.#paused = paused;
  }

  /** The standing after one more fact. Throws a `RunUnavailableError` where this version of the program cannot fold it. */
  next(envelope: Envelope): Standing {
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
    return { version: state.version, state: name, paused: this.#paused, spend: lifeOf(state).spend };
  }

  #opened(fact: Fact): RunState {
    const opened = open(startOf(this.#run, fact), this.#loops);
    if (opened.kind === 'opened') return opened.state;
    throw new RunUnavailableError('unknown_machine', this.#run, `it was written by ${opened.machine}, which is not known here`);
  }
}
