import type { EventStore } from '../../src/log/event-store.ts';
import type { Extended } from '../../src/runtime/extend-run.ts';
import type { Live } from '../../src/runtime/own-tree.ts';
import type { Resumed } from '../../src/runtime/resume-run.ts';
import type { RunEnd } from '../../src/runtime/run-end.ts';
import type { Seen } from './observers.ts';

export async function ended({ done }: Pick<Live, 'done'>): Promise<Extract<RunEnd, { kind: 'ended' }>> {
  const end = await done;
  if (end.kind !== 'ended') throw new Error(`expected the run to end, but it is ${JSON.stringify(end)}`);
  return end;
}

/** Everything the log holds of a run, a shared prefix included. */
export async function history(log: EventStore, run: string): Promise<Seen[]> {
  const facts: Seen[] = [];
  for await (const envelope of log.read(run)) facts.push(envelope as unknown as Seen);
  return facts;
}

/** The live run of a result. Throws where there is none. */
export function lived(result: Resumed | Extended): Live {
  if (result.kind !== 'live') throw new Error(`expected a live run, got ${JSON.stringify(result)}`);
  return result.live;
}
