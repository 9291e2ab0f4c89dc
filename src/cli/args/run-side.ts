import type { RunSide } from '../../app/changes/run-sides.ts';
import type { RunReference } from './find-run.ts';

/** A run, and which of its states. */
export interface SideReference {
  readonly reference: RunReference;
  readonly at: RunSide['at'];
}

const STATE = /^(.+)@(\d+|start|end)$/;

/** `RUN`, `RUN@VERSION`, `RUN@start` or `RUN@end`. */
export function runSide(text: string | undefined, last: boolean): SideReference {
  const [, run = text, state] = STATE.exec(text ?? '') ?? [];
  const at = state === undefined || state === 'start' || state === 'end' ? state : Number(state);
  return { reference: { run, last: last || text === undefined }, at };
}
