import { type CaptureInput, captureBounds } from '../../../actors/capture/capture-actor.ts';
import type { RunSettings } from '../../../../machines/settings.ts';
import { environmentFault } from '../../../log/environment-fault.ts';
import type { EffectServices } from '../../../ports/services.ts';

/** Whose workspace is captured, and by what. */
export interface CapturedBy {
  readonly services: Pick<EffectServices, 'capture'>;
  readonly run: string;
  readonly settings: RunSettings;
}

export interface Taken {
  readonly hash: string | null;
  readonly failure: string | null;
  /** What kind of failure it is. */
  readonly code: string | null;
}

/** Captures the workspace of a run, as no fact of it tells. `number`: its place among the captures; null: none. */
export async function captured(
  { services, run, settings }: CapturedBy,
  number: CaptureInput['number'],
): Promise<Taken> {
  const { signal } = new AbortController();
  const call = { id: `${run}/0/0`, attempt: 1, signal, delta: () => {} };
  const { directory } = settings;
  // A worktree is removed with all that no capture has.
  const needsGit = settings.isolation !== undefined;
  const input = { directory, run, number, ...captureBounds(settings), listsChanges: false, needsGit };
  try {
    for await (const event of services.capture.execute(input, call)) {
      if (event.type === 'workspace.failed') {
        const { code, message } = event.payload.fault;
        return { hash: null, failure: message, code };
      }
      if (event.type === 'workspace.captured') return { hash: event.payload.hash, failure: null, code: null };
    }
  } catch (error) {
    const fault = environmentFault(error);
    if (!fault) throw error;
    return { hash: null, failure: fault.message, code: 'capture_failed' };
  }
  return { hash: null, failure: 'the capture was stopped', code: null };
}
