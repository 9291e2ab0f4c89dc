import type { Life } from '../../machines/life.ts';
import type { Effect } from '../../src/runtime/step.ts';

/** What a log says of an effect: that it was asked for, and perhaps that it was told to stop. */
export interface Entry {
  readonly effect: string;
  readonly key: string;
  readonly actor: string;
  readonly told: boolean;
}

/** Those whose last word an aborted run waits for. Nobody waits for timers, the judge, or a farewell. */
const owing = new Set('streamModel runTool askPerson captureWorkspace verifyWork runAgent compaction'.split(' '));
const owes = ({ actor, key }: Entry) => owing.has(actor) || owing.has(key);

/**
 * Who owes an answer, by the log alone: what each version asked for, and which effect each event says it answers. It
 * knows nothing of machines, and of events only how a grace ends.
 */
export class Ledger {
  #open: readonly Entry[] = [];

  record(version: number, causation: string | null, effects: readonly Effect[], graceIsOver = false): void {
    this.#open = this.#open.filter((one) => one.effect !== causation && !(graceIsOver && one.told));
    let n = 0;
    for (const asked of effects) {
      const { key } = asked;
      if (asked.kind === 'stop') this.#stop(key);
      else this.#open = [...this.#open, { effect: `${version}/${n++}`, key, actor: asked.actor, told: false }];
    }
  }

  #stop(key: string): void {
    const told = this.#open.map((one) => (one.key === key ? { ...one, told: true } : one));
    this.#open = told.filter((one) => !one.told || owes(one));
  }

  get outstanding(): readonly Entry[] {
    return this.#open;
  }

  get pending(): Life['pending'] {
    return Object.fromEntries(this.#open.filter(owes).map((one) => [one.key, how(one)]));
  }
}

function how({ told, actor }: Entry): Life['pending'][string] {
  if (told) return 'told';
  return actor === 'askPerson' ? 'asked' : 'owed';
}
