import { computed, signal } from '@preact/signals';
import { server } from './page-source.ts';
import type { ListedView } from './shown-types.ts';

/** How many runs are listed at first. */
const FIRST = 100;

// The list stays as it is while another screen is shown.
export const runs = signal<readonly ListedView[] | null>(null);
export const more = signal(0);
export const limit = signal(FIRST);
export const failure = signal<string | null>(null);

/** By what the list is filtered. Empty: by nothing. */
export const filters = { text: signal(''), ending: signal(''), loop: signal(''), label: signal('') };
/** The row that keys act on. */
export const chosen = signal(0);
/** Runs that are to be compared, in the order in which they were marked. */
export const marked = signal<readonly string[]>([]);

export const asks = ({ standing }: ListedView): boolean => standing.asks > 0;
export const kindOf = ({ ending, standing }: ListedView): string => ending ?? standing.kind;

/** The runs that the filters let through: what waits for a person first, then the newest. */
export const matching = computed(() => {
  const { text, ending, loop, label } = filters;
  const words = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = (runs.value ?? []).filter(
    (one) =>
      (loop.value === '' || one.loop === loop.value) &&
      (label.value === '' || one.label === label.value) &&
      (ending.value === '' || kindOf(one) === ending.value) &&
      words.every((word) => `${one.task} ${one.run} ${one.verdict ?? ''}`.toLowerCase().includes(word)),
  );
  return [...found.filter(asks), ...found.filter((one) => !asks(one))];
});

/** Marks a run, or takes the mark away. */
export function mark(run: string): void {
  const before = marked.peek();
  marked.value = before.includes(run) ? before.filter((one) => one !== run) : [...before, run];
}

let isReading = false;
let isStale = false;

/** Reads the list again. */
export async function readRuns(): Promise<void> {
  isStale = isReading;
  if (isReading) return;
  isReading = true;
  const began = performance.now();
  try {
    const listed = await server.runs(limit.peek());
    runs.value = listed.runs;
    more.value = listed.more;
    failure.value = null;
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
  }
  // A long list takes the server a while: it has twice that time to itself.
  setTimeout(
    () => {
      isReading = false;
      if (isStale) void readRuns();
    },
    (performance.now() - began) * 2,
  );
}
