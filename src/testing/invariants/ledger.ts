import type { Life } from '../../../machines/life.ts';
import type { Effect } from '../../runtime/step.ts';

/** What a log says of an effect: that it was asked for, and perhaps that it was told to stop, or waits for somebody. */
export interface Entry {
  readonly effect: string;
  readonly key: string;
  readonly actor: string;
  readonly told: boolean;
  readonly waits: boolean;
}

/** Nobody waits for the last word of these: an abort goes on without it. */
const NOT_AWAITED: ReadonlySet<string> = new Set(['judge', 'admitCalls', 'endStrategy', 'timer', 'summary']);
const owes = ({ actor, key }: Entry): boolean => !NOT_AWAITED.has(actor) && !NOT_AWAITED.has(key);

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
 * Who owes an answer, by the log alone: what each version asked for, and what each event answers. It knows nothing of
 * machines, and of events only how a grace ends and how a child waits.
 */
export class Ledger {
  #open: readonly Entry[] = [];

  /** False where it is the answer to nothing that is open. */
  record({ version, answers, effects, isGraceOver = false, waiting }: Line): boolean {
    const isAnswer = answers === null || this.#open.some(({ effect }) => effect === answers);
    this.#open = this.#open.filter((one) => one.effect !== answers && !(isGraceOver && one.told));
    if (waiting) this.#open = this.#open.map((one) => (one.effect === waiting.effect ? { ...one, waits: waiting.begins } : one));
    let n = 0;
    for (const asked of effects) {
      const { key } = asked;
      if (asked.kind === 'stop') this.#stop(key);
      else this.#open = [...this.#open, { effect: `${version}/${n++}`, key, actor: asked.actor, told: false, waits: false }];
    }
    return isAnswer;
  }

  #stop(key: string): void {
    const told = this.#open.map((one) => (one.key === key ? { ...one, told: true } : one));
    this.#open = told.filter((one) => !one.told || owes(one));
  }

  get outstanding() {
    return this.#open.map(({ effect, key, actor, told }) => ({ effect, key, actor, told }));
  }

  get pending(): Life['pending'] {
    return Object.fromEntries(this.#open.filter(owes).map((one) => [one.key, how(one)]));
  }
}

function how({ told, waits, actor }: Entry): Life['pending'][string] {
  if (told) return 'told';
  if (actor === 'askPerson') return 'asked';
  return waits ? 'waiting' : 'owed';
}
