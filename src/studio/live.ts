import { signal } from '@preact/signals';

type Listener = (trees: ReadonlySet<string>) => void;

/** How long changes are gathered before they are told. */
const GATHER_MS = 300;
/** When a server that has refused is asked again. */
const AGAIN_MS = 3_000;

/** Whether the server is reached. */
export const isConnected = signal(true);
/** How often it was not: each time it may be for another reason. */
export const failures = signal(0);

const listeners = new Set<Listener>();
const changed = new Set<string>();
let timer: ReturnType<typeof setTimeout> | undefined;
let feed: EventSource | null = null;

/** Is told which trees of runs have recorded something, until the returned function is called. */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  feed ??= connect();
  return () => listeners.delete(listener);
}

/** A browser connects again by itself, and says what it has seen last. */
function connect(): EventSource {
  const source = new EventSource('/api/feed');
  source.addEventListener('open', () => {
    if (!isConnected.peek()) tell(['*']);
    isConnected.value = true;
  });
  source.addEventListener('error', () => {
    isConnected.value = false;
    failures.value += 1;
    // A browser gives up where the answer is a refusal.
    if (source.readyState === EventSource.CLOSED) setTimeout(() => (feed = connect()), AGAIN_MS);
  });
  source.addEventListener('message', ({ data }: MessageEvent<string>) => {
    tell((JSON.parse(data) as { readonly trees: readonly string[] }).trees);
  });
  return source;
}

function tell(trees: readonly string[]): void {
  if (trees.length === 0) return;
  for (const tree of trees) changed.add(tree);
  timer ??= setTimeout(() => {
    timer = undefined;
    const told = new Set(changed);
    changed.clear();
    for (const listener of listeners) listener(told);
  }, GATHER_MS);
}
