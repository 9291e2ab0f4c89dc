import type { Lane } from '../../../machines/improvement-progress.ts';
import type { RunState } from '../../../src/kernel/fold.ts';

/** A state of a run in which one candidate is tried: effects of its experiment are told by it which one. */
export function trying(candidate: string): RunState {
  const lanes: readonly Lane[] = [{ candidate, phase: 'begun', version: 1 }];
  return { snapshot: { context: { candidate, lanes } } } as unknown as RunState;
}
