import type { RunSettings } from '../../../machines/settings.ts';
import type { Actor } from '../../actors/actor.ts';
import type { CaptureInput } from '../../actors/workspace/capture-actor.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { loopNamed } from '../../kernel/loop-named.ts';
import { stateFilesOf } from './state-files.ts';

interface Starting {
  readonly run: string;
  readonly settings: RunSettings;
  readonly loops: readonly LoopDefinition[];
}

/**
 * Captures the workspace as the run finds it, as number 0, so that earlier changes do not count as the run's. Where the
 * capture fails, the run's first changes are listed against the last commit.
 */
export async function markStart(capture: Actor<CaptureInput>, { run, settings, loops }: Starting): Promise<void> {
  const { directory, checks } = settings;
  const loop = loopNamed(settings.loop, loops);
  if (!loop.settings?.needsGit && checks.length === 0) return;
  const { signal } = new AbortController();
  const call = { id: `${run}/0/0`, attempt: 1, signal, delta: () => {} };
  const input = { directory, run, number: 0, leaveOut: stateFilesOf(settings), listsChanges: false };
  for await (const { type } of capture.execute(input, call)) {
    if (type === 'workspace.captured') return;
  }
}
