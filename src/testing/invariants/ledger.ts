import type { Life } from '../../../machines/life.ts';
import type { Outstanding } from '../../runtime/fold.ts';
import { type LoopDefinition, owesResult, specOf } from '../../runtime/loop-definition.ts';
import type { Effect } from '../../runtime/step.ts';

/** What a log says of an effect: that it was asked for, and perhaps that it was told to stop, or waits for somebody. */
interface Entry extends Outstanding {
  readonly waits: boolean;
}

/** One version of a run, as far as it is about effects. */
export interface Line {
  readonly version: number;
  /** The effect that it is the result of. */
  readonly answers: string | null;
  readonly effects: readonly Effect[];
  readonly isGraceOver?: boolean;
  /** The effect whose child has begun, or ceased, to wait for a person. */
  readonly waiting?: { readonly effect: string | null; readonly begins: boolean };
}

/**
 * Which effects owe an answer, by the log and the specifications of effects alone: what each version asked for, and what each
 * event answers. It knows nothing of charts, and of events only how a grace ends and how a child waits.
 */
export class Ledger {
  readonly #loop: LoopDefinition;
  #open: readonly Entry[] = [];

  constructor(loop: LoopDefinition) {
    this.#loop = loop;
  }

  /** False where it is the answer to nothing that is open. */
  record({ version, answers, effects, isGraceOver = false, waiting }: Line): boolean {
    const isAnswer = answers === null || this.#open.some(({ effect }) => effect === answers);
    this.#open = this.#open.filter((one) => one.effect !== answers && !(isGraceOver && one.told));
    if (waiting) this.#open = this.#open.map((one) => (one.effect === waiting.effect ? { ...one, waits: waiting.begins } : one));
    let n = 0;
    for (const asked of effects) {
      if (asked.kind === 'stop') this.#stop(asked.key);
      else {
        const { key, actor, input } = asked;
        this.#open = [...this.#open, { effect: `${version}/${n++}`, key, actor, input, attempt: 1, told: false, waits: false }];
      }
    }
    return isAnswer;
  }

  #stop(key: string): void {
    const told = this.#open.map((one) => (one.key === key ? { ...one, told: true } : one));
    this.#open = told.filter((one) => !one.told || owesResult(one, this.#loop));
  }

  get outstanding() {
    return this.#open.map(({ effect, key, actor, told }) => ({ effect, key, actor, told }));
  }

  get pending(): Life['pending'] {
    return Object.fromEntries(this.#open.filter((one) => owesResult(one, this.#loop)).map((one) => [one.key, this.#how(one)]));
  }

  #how(one: Entry): Life['pending'][string] {
    if (one.told) return 'told';
    if (specOf(one, this.#loop).asksPerson) return 'asked';
    return one.waits ? 'waiting' : 'owed';
  }
}
