import type { EventOf, LoopEvent } from '../../machines/events.ts';
import { captureActor } from '../../src/actors/capture/capture-actor.ts';
import { performed } from '../actors/performed.ts';

export const RUN = '01900000-0000-7000-8000-000000000000';

export const refOf = (number: number) => `refs/loopfold/${RUN}/${number}`;

/** All that a capture says. */
export async function captureEvents(directory: string, number = 0, signal?: AbortSignal): Promise<LoopEvent[]> {
  return (await performed(captureActor(), { directory, run: RUN, number }, signal)).events;
}

/** What a capture says that has nothing to complain of. */
export async function capture(directory: string, number = 0): Promise<EventOf<'workspace.captured'>['payload']> {
  const [event, ...more] = await captureEvents(directory, number);
  if (event?.type !== 'workspace.captured' || more.length > 0) throw new Error(JSON.stringify([event, ...more]));
  return event.payload;
}
