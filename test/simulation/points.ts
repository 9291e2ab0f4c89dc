import type { Kill } from './killing.ts';

const WORKERS = 3;

/** Before and after each of these appends. */
export const bothSides = (from: number, to: number, more: Partial<Kill> = {}): Kill[] =>
  Array.from({ length: to - from + 1 }, (_, index) => from + index).flatMap((append) =>
    (['before', 'after'] as const).map((when) => ({ when, append, ...more })),
  );

/** Does the same with every item, a few at a time. What fails says for which. */
export async function forEach<Item>(items: readonly Item[], work: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const worker = async () => {
    for (let item = left.shift(); item !== undefined; item = left.shift()) {
      const label = JSON.stringify(item);
      await work(item).catch((cause: Error) => {
        throw new Error(`${label}: ${cause.message}`, { cause });
      });
    }
  };
  await Promise.all(Array.from({ length: WORKERS }, worker));
}
