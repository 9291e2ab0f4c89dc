import type { LoopEvent } from '../../machines/events.ts';
import { catalogue, type CatalogueEntry } from '../../machines/index.ts';
import type { Loop } from '../../src/testing/loop.ts';
import { type Dated, given as givenLoop } from '../../src/testing/given-facts.ts';
import { started } from './facts.ts';

export { timeAt } from '../../src/testing/proof-time.ts';
export type { Consequence, Dated } from '../../src/testing/given-facts.ts';

export const later = (afterMs: number, event: LoopEvent): Dated => ({ ...event, afterMs });

/** `given` of a machine that ships. A history without `run.started` begins with one of no particular settings. */
export function given(machine: CatalogueEntry['machine'], ...history: readonly Dated[]) {
  const loop = catalogue.find((candidate) => candidate.machine === machine);
  if (!loop) throw new Error(`${machine.id} is not in the catalogue`);
  const opening = history[0]?.type === 'run.started' ? [] : [started(machine.id === 'turn' ? 'turn' : 'iteration')];
  return givenLoop(loop as Loop<LoopEvent>, ...opening, ...history);
}
