import { LoopEvent } from '../../machines/events.ts';
import type { InboxEntry, Log } from '../log/log.ts';
import type { LoopRun } from './run.ts';

/** The events that a command from outside may ask for. Everything else in an inbox is rejected. */
const COMMANDS: readonly LoopEvent['type'][] = ['abort.requested'];

/** The event an inbox entry asks for, or why it cannot be delivered. */
function commandOf({ type, payload }: InboxEntry): LoopEvent | string {
  const parsed = LoopEvent.safeParse({ type, payload });
  if (!parsed.success) return `not an event: ${parsed.error.issues[0]?.message ?? 'it does not fit the vocabulary'}`;
  return COMMANDS.includes(parsed.data.type) ? parsed.data : `${type} is not a command; known: ${COMMANDS.join(', ')}`;
}

/** Hands every waiting entry of a tree to its run. Each ends delivered or rejected. */
export async function deliver(log: Log, root: string, runOf: (run: string) => LoopRun | undefined): Promise<void> {
  for (const entry of await log.inbox(root)) {
    const event = commandOf(entry);
    const run = runOf(entry.run);
    if (typeof event === 'string') {
      await log.reject(entry.id, event);
    } else if (!run) {
      await log.reject(entry.id, 'that run is not under way; address the root of its tree');
    } else {
      const verdict = await run.post(event, entry.id);
      if (verdict.kind === 'rejected') await log.reject(entry.id, verdict.because);
    }
  }
}
