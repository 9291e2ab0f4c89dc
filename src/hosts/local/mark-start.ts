import type { RunSettings } from '../../../machines/settings.ts';
import type { Actor } from '../../actors/actor.ts';
import type { CaptureInput } from '../../actors/workspace/capture-actor.ts';
import { stateFilesOf } from './state-files.ts';

/**
 * Captures the workspace as the run finds it, as number 0: what somebody had changed before is then no change of the run's.
 * Where that fails the first changes are listed against the last commit.
 */
export async function markStart(capture: Actor<CaptureInput>, run: string, settings: RunSettings): Promise<void> {
  const { directory, loop, checks } = settings;
  if (loop === 'turn' && checks.length === 0) return;
  const { signal } = new AbortController();
  const call = { id: `${run}/0/0`, attempt: 1, signal, delta: () => {} };
  for await (const { type } of capture.perform({ directory, run, number: 0, leaveOut: stateFilesOf(settings) }, call)) {
    if (type === 'workspace.captured') return;
  }
}
