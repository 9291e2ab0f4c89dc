import type { Life } from '../../../machines/life.ts';
import type { Outstanding } from '../../kernel/fold.ts';
import { type LoopDefinition, owesResult, specOf } from '../../kernel/loop-definition.ts';
import type { Effect } from '../../kernel/step.ts';

/** An open effect according to the log: started, and perhaps told to stop, or waiting for a user. */
interface Entry extends Outstanding {
  readonly waits: boolean;
}

/** The effects of one version of a run. */
export interface Line {
  readonly version: number;
  /** The effect that its event answers. */
  readonly answers: string | null;
  readonly effects: readonly Effect[];
  readonly isGraceOver?: boolean;
  /** The effect whose child begins or stops waiting for a user. */
  readonly waiting?: { readonly effect: string | null; readonly begins: boolean };
}

/**
 * Tracks which effects are pending, from the log and the specifications of effects alone. It does not know charts; of
 * events it knows only the end of a grace and the waiting of a child.
 */
export class Ledger {
  readonly #loop: LoopDefinition;
  #open: readonly Entry[] = [];

  constructor(loop: LoopDefinition) {
    this.#loop = loop;
  }

  /** False where the version answers an effect that is not open. */
  record({ version, answers, effects, isGraceOver = false, waiting }: Line): boolean {
    const isAnswer = answers === null || this.#open.some(({ effect }) => effect === answers);
    this.#open = this.#open.filter((one) => one.effect !== answers && !(isGraceOver && one.told));
    if (waiting)
      this.#open = this.#open.map((one) => (one.effect === waiting.effect ? { ...one, waits: waiting.begins } : one));
    let n = 0;
    for (const asked of effects) {
      if (asked.kind === 'stop') this.#stop(asked.key);
      else {
        const { key, actor, input } = asked;
        this.#open = [
          ...this.#open,
          { effect: `${version}/${n++}`, key, actor, input, attempt: 1, told: false, waits: false },
        ];
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
    return Object.fromEntries(
      this.#open.filter((one) => owesResult(one, this.#loop)).map((one) => [one.key, this.#how(one)]),
    );
  }

  #how(one: Entry): Life['pending'][string] {
    if (one.told) return 'told';
    if (specOf(one, this.#loop).asksPerson) return 'asked';
    return one.waits ? 'waiting' : 'owed';
  }
}
