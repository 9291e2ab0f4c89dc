import type { RunSettings } from '../../../machines/settings.ts';
import type { Actor } from '../../actors/actor.ts';
import type { CaptureInput } from '../../actors/workspace/capture-actor.ts';
import type { LoopDefinition } from '../../runtime/loop-definition.ts';
import { stateFilesOf } from './state-files.ts';

interface Starting {
  readonly run: string;
  readonly settings: RunSettings;
  readonly loop: LoopDefinition;
}

/**
 * Captures the workspace as the run finds it, as number 0: what somebody had changed before is then no change of the run's.
 * Where that fails the first changes are listed against the last commit.
 */
export async function markStart(capture: Actor<CaptureInput>, { run, settings, loop }: Starting): Promise<void> {
  const { directory, checks } = settings;
  if (!loop.settings?.needsGit && checks.length === 0) return;
  const { signal } = new AbortController();
  const call = { id: `${run}/0/0`, attempt: 1, signal, delta: () => {} };
  for await (const { type } of capture.perform({ directory, run, number: 0, leaveOut: stateFilesOf(settings) }, call)) {
    if (type === 'workspace.captured') return;
  }
}
