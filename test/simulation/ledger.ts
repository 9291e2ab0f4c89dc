import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EffectCall } from '../../src/actors/actor.ts';
import type { Casting } from '../../src/runtime/casting.ts';

/** An effect that was really started, and by which of the processes in a row. */
export interface Started {
  /** `RUN/version/n`. */
  readonly effect: string;
  readonly actor: string;
  /** 1-based. */
  readonly generation: number;
}

const file = (folder: string) => join(folder, 'ledger.jsonl');

/** A casting whose every effect, timers apart, is written down outside the log when it starts. */
export function ledgered(folder: string, generation: number, inner: Casting): Casting {
  return (run, settings, loop) => {
    const cast = inner(run, settings, loop);
    return {
      ...cast,
      perform: (effect, situation) => {
        const performance = cast.perform(effect, situation);
        if (performance.kind === 'child' || effect.actor === 'timer') return performance;
        const perform = (call: EffectCall) => {
          const started: Started = { effect: call.id, actor: effect.actor, generation };
          appendFileSync(file(folder), `${JSON.stringify(started)}\n`);
          return performance.perform(call);
        };
        return { ...performance, perform };
      },
    };
  };
}

export function readLedger(folder: string): readonly Started[] {
  if (!existsSync(file(folder))) return [];
  return readFileSync(file(folder), 'utf8').trim().split('\n').map((line) => JSON.parse(line) as Started);
}
