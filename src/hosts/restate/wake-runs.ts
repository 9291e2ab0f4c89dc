import type { Log } from '../../log/log.ts';

export interface Waking {
  /** The address of the ingress of Restate, such as `http://127.0.0.1:8080`. */
  readonly ingress: string;
  /** The name of the virtual object. Default: `loopfold`. */
  readonly name?: string;
  /** Ends it. */
  readonly signal: AbortSignal;
  /** Called where the ingress, or the log, cannot be reached. It is tried again. */
  readonly warn?: (message: string) => void;
}

/** How long it waits for a change of the log before it looks again. */
const LOOK_MS = 2_000;

/**
 * Wakes runs whose invocations have left them because they wait for a person, when a process has recorded something in
 * the log: an answer that `loopfold answer` has taken, for one. Resolves when it is told to stop. One service of a log
 * is enough.
 *
 * @example
 * void wakeRuns(log, { ingress: 'http://127.0.0.1:8080', signal: AbortSignal.timeout(60_000) });
 */
export async function wakeRuns(
  log: Log,
  { ingress, name = 'loopfold', signal, warn = () => {} }: Waking,
): Promise<void> {
  let { position: seen } = await log.changes(null);
  const wake = async (run: string): Promise<void> => {
    const url = `${ingress}/${name}/${encodeURIComponent(run)}/wake/send`;
    const { ok, status } = await fetch(url, { method: 'POST', signal });
    if (!ok) throw new Error(`${url}: ${status}`);
  };
  // A tree that a process holds is at work, or its answer is just being recorded: it is looked at until it is free.
  const changed = new Set<string>();
  while (!signal.aborted) {
    try {
      const { position, trees } = await log.changes(seen);
      for (const root of trees) changed.add(root);
      seen = position;
      for (const root of changed) {
        if ((await log.holder(root)) !== null) continue;
        await wake(root);
        changed.delete(root);
      }
    } catch (error) {
      if (!signal.aborted) warn(error instanceof Error ? error.message : String(error));
    }
    await log.stirred(signal, LOOK_MS);
  }
}
