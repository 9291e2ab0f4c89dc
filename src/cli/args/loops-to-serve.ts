import type { App } from '../../app/app.ts';
import { LogError } from '../../log/log.ts';
import { treesTelemetryHere } from '../live/telemetry-here.ts';
import type { MoreLoopsOptions } from './session-loops.ts';
import type { Session } from '../session.ts';

/** Trees of runs whose own loops are loaded. */
const NEWEST = 200;

/** An existing log with the own loops of its runs, or a new one. `more`: for runs that work here. */
export async function servedLoops(session: Session, isReadOnly: boolean, more: MoreLoopsOptions = {}): Promise<App> {
  const own = { runs: { newest: NEWEST }, otherwise: 'warn' } as const;
  if (isReadOnly) return session.loops('read', own);
  try {
    return await session.loops('work', own, more);
  } catch (error) {
    if (error instanceof LogError && error.kind === 'unavailable') return session.loopsOrNew(more).catch(offerToRead);
    throw error;
  }
}

/** The same, whose runs a collector is told of. Null: the environment names none. */
export async function toldLoops(
  session: Session,
  isReadOnly: boolean,
): Promise<{ readonly loops: App; readonly telemetry: Awaited<ReturnType<typeof treesTelemetryHere>> }> {
  const telemetry = isReadOnly ? null : await treesTelemetryHere(session.streams.err);
  const loops = await servedLoops(session, isReadOnly, telemetry ? { watch: telemetry.watch } : {});
  telemetry?.belongsTo(loops);
  return { loops, telemetry };
}

/** A log that cannot be written can be shown all the same. */
function offerToRead(error: unknown): never {
  if (!(error instanceof LogError) || !error.remedy.includes('writable')) throw error;
  const { kind, store, detail, remedy } = error;
  throw new LogError(kind, store, detail, `${remedy} Or only show it: --read-only.`, error);
}
