import type { EventStore, RunRecord } from '../../log/event-store.ts';

/** The fewest characters that name a run. */
export const SHORTEST_NAME_CHARS = 4;

type Listing = Pick<EventStore, 'run' | 'runs'>;

/**
 * The runs that a text can mean: the one with that id, or else those whose ids begin or end with it. Empty where it is
 * too short.
 */
export async function runsNamed(log: Listing, name: string): Promise<readonly RunRecord[]> {
  const exact = await log.run(name);
  if (exact) return [exact];
  if (name.length < SHORTEST_NAME_CHARS) return [];
  return (await log.runs()).filter(({ run }) => run.startsWith(name) || run.endsWith(name));
}
