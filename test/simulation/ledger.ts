import { appendFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { EffectCall } from '../../src/actors/actor.ts';
import type { MakeHandlers } from '../../src/runtime/make-handlers.ts';

/** An effect that was really started, and by which of the processes in a row. */
export interface Started {
  /** `RUN/version/n`. */
  readonly effect: string;
  readonly actor: string;
  /** 1-based. */
  readonly generation: number;
}

const file = (folder: string) => join(folder, 'ledger.jsonl');

/** Wraps handlers: each effect but timers is written down outside the log when it starts. */
export function ledgered(folder: string, generation: number, inner: MakeHandlers): MakeHandlers {
  return (run, settings, loop) => {
    const cast = inner(run, settings, loop);
    return {
      ...cast,
      execute: (effect, context) => {
        const execution = cast.execute(effect, context);
        if (execution.kind === 'child' || effect.actor === 'timer') return execution;
        const perform = (call: EffectCall) => {
          const started: Started = { effect: call.id, actor: effect.actor, generation };
          appendFileSync(file(folder), `${JSON.stringify(started)}\n`);
          return execution.execute(call);
        };
        return { ...execution, execute: perform };
      },
    };
  };
}

export function readLedger(folder: string): readonly Started[] {
  if (!existsSync(file(folder))) return [];
  return readFileSync(file(folder), 'utf8')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line) as Started);
}
