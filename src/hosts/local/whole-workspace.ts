import type { RunSettings } from '../../../machines/settings.ts';
import type { CaptureInput } from '../../actors/workspace/capture-actor.ts';
import { newestOf } from '../../kernel/loop-definition.ts';
import type { LocalHost } from './local-host.ts';
import { mayWrite } from './may-write.ts';
import { stateFilesOf } from './state-files.ts';

// The captures that no fact of a run names: the workspace as it found it, and as it left it. `diff`, `apply` and `undo`
// rest on them.

export type Host = Pick<LocalHost, 'definitions'> & { readonly services: Pick<LocalHost['services'], 'capture'> };

export interface Marked {
  readonly host: Host;
  readonly run: string;
  readonly settings: RunSettings;
}

/** Runs below another one are part of its change. */
export const isCaptured = ({ settings, host }: Marked): boolean => {
  const loop = newestOf(settings.loop, host.definitions);
  return settings.parent === null && loop !== undefined && mayWrite(settings, loop);
};

export interface Taken {
  readonly hash: string | null;
  readonly failure: string | null;
  /** What kind of failure it is. */
  readonly code: string | null;
}

export async function captured({ host, run, settings }: Marked, number: CaptureInput['number']): Promise<Taken> {
  const { signal } = new AbortController();
  const call = { id: `${run}/0/0`, attempt: 1, signal, delta: () => {} };
  const { directory } = settings;
  // A worktree is removed with all that no capture has.
  const needsGit = settings.isolation !== undefined;
  const input = { directory, run, number, leaveOut: stateFilesOf(settings), listsChanges: false, needsGit };
  for await (const event of host.services.capture.execute(input, call)) {
    if (event.type === 'workspace.failed') {
      const { code, message } = event.payload.fault;
      return { hash: null, failure: message, code };
    }
    if (event.type === 'workspace.captured') return { hash: event.payload.hash, failure: null, code: null };
  }
  return { hash: null, failure: 'the capture was stopped', code: null };
}
