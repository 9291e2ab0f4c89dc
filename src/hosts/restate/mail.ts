import type { InboxEntry, InboxStore } from '../../log/inbox-store.ts';
import type { QueueStore } from '../../log/queue-store.ts';

/** How long an entry of the journal waits for a command: each wait that is over is one entry more. */
const WAIT_MS = 30_000;
/** How long it waits for a change of the log before it looks again. */
const LOOK_MS = 500;

/** The oldest command that waits for a tree. Null: none came in time. */
export async function nextMail(
  log: InboxStore & Pick<QueueStore, 'stirred'>,
  root: string,
  signal: AbortSignal,
): Promise<InboxEntry | null> {
  const until = performance.now() + WAIT_MS;
  for (;;) {
    const [entry] = await log.inbox(root);
    if (entry) return entry;
    if (signal.aborted || performance.now() >= until) return null;
    await log.stirred(signal, LOOK_MS);
  }
}
