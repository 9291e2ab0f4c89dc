import type { LoopEvent } from '../../../../machines/events.ts';

/** Records an event while the work goes on. */
export type Tell = (event: LoopEvent) => void;

/**
 * The events that a work tells, each as soon as it is told, then its last one. For work within functions that end what
 * they began, where nothing can be yielded from.
 *
 * @example
 * yield* toldMeanwhile(async (tell) => { tell(first); return last; });
 */
export async function* toldMeanwhile(work: (tell: Tell) => Promise<LoopEvent>): AsyncIterable<LoopEvent> {
  const told: LoopEvent[] = [];
  let wake = () => {};
  const tell: Tell = (event) => {
    told.push(event);
    wake();
  };
  let isOver = false;
  const over = work(tell).finally(() => {
    isOver = true;
    wake();
  });
  // Its error is thrown below, after what was told before it.
  over.catch(() => {});
  for (;;) {
    for (let event = told.shift(); event; event = told.shift()) yield event;
    if (isOver) break;
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  }
  yield await over;
}
