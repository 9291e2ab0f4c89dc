import { Remade } from '../../machines/events.ts';
import type { Envelope } from '../log/envelope.ts';
import type { EventStore } from '../log/event-store.ts';
import { isOwning } from './last-activity.ts';

/**
 * From what the worktree of a tree was made again since a process last worked on this run of it. Asked of the log: the
 * process that recorded it may have been killed before it resumed the runs below.
 */
export async function remadeSince(log: EventStore, run: string): Promise<Remade | null> {
  const record = await log.run(run);
  if (!record) return null;
  let since = 0;
  for await (const envelope of log.read(run)) if (isOwning(envelope)) since = envelope.position;
  let newest: Remade | null = null;
  for await (const envelope of log.read(record.root)) {
    if (envelope.position > since) newest = remadeIn(envelope) ?? newest;
  }
  return newest;
}

function remadeIn({ type, payload }: Envelope): Remade | null {
  if (type !== 'run.resumed' && type !== 'run.continued') return null;
  return Remade.safeParse((payload as { readonly remade?: unknown }).remade).data ?? null;
}
