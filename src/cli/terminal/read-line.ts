import { createInterface } from 'node:readline';

/** A line, or why there is none. `closed`: the input has ended. `withdrawn`: the question is no longer open. */
export type Reply = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'closed' | 'withdrawn' };

/** The next line that the user types. The terminal keeps its mode: it echoes, edits, and sends Ctrl-C as a signal. */
export async function readLine(input: NodeJS.ReadStream, signal: AbortSignal): Promise<Reply> {
  if (signal.aborted) return { kind: 'withdrawn' };
  if (input.destroyed) return { kind: 'closed' };
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const lines = createInterface({ input, terminal: false });
  const withdraw = () => resolve({ kind: 'withdrawn' });
  const close = () => resolve({ kind: 'closed' });
  lines.once('line', (text) => resolve({ kind: 'line', text }));
  lines.once('close', close);
  // A terminal that was hung up.
  input.once('error', close);
  signal.addEventListener('abort', withdraw, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', withdraw);
    input.off('error', close);
    lines.close();
    input.pause();
  }
}
