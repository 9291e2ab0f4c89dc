import { computed, signal } from '@preact/signals';
import { server } from './page-source.ts';
import type { ListedView } from './view-types.ts';

/** How many runs are listed at first. */
const FIRST = 100;
/** How many are read at once after these. */
const PAGE = 500;
/** Stands for every tree. */
const ALL = '*';

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
/** Trees that have changed while the list was read. */
let stale: readonly string[] = [];

/** Reads the list again as far as these trees stand in it; a new one stands at its top. Without `trees`: all of it. */
export async function readRuns(trees: Iterable<string> = [ALL]): Promise<void> {
  if (isReading) {
    stale = [...stale, ...trees];
    return;
  }
  isReading = true;
  const began = performance.now();
  try {
    await readPages(lengthTo(new Set(trees)));
    failure.value = null;
  } catch (error) {
    failure.value = error instanceof Error ? error.message : String(error);
  }
  // A long list takes the server a while: it has twice that time to itself.
  setTimeout(
    () => {
      isReading = false;
      const changed = stale;
      stale = [];
      if (changed.length > 0) void readRuns(changed);
    },
    (performance.now() - began) * 2,
  );
}

/** How much of the list has to be read where these trees have changed. */
function lengthTo(trees: ReadonlySet<string>): number {
  const listed = runs.peek();
  if (listed === null || trees.has(ALL)) return limit.peek();
  return listed.findLastIndex(({ run }) => trees.has(run)) + 1;
}

/** Reads so many runs from the top of the list, page by page. Each is shown as soon as it has come. */
async function readPages(length: number): Promise<void> {
  let read: readonly ListedView[] = [];
  for (;;) {
    const left = length - read.length;
    const page = await server.runs(read.length === 0 ? FIRST : Math.min(left, PAGE), read.at(-1)?.run ?? null);
    read = [...read, ...page.runs];
    const isLast = read.length >= length || page.more === 0;
    // Those below the pages stay as they were, unless the whole list was read: then the log no longer has them.
    const known = new Set(read.map(({ run }) => run));
    const below = isLast && length >= limit.peek() ? [] : (runs.peek() ?? []).filter(({ run }) => !known.has(run));
    runs.value = [...read, ...below];
    more.value = Math.max(0, page.more - below.length);
    if (isLast) return;
  }
}
