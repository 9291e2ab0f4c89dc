import type { ActorServices } from '../services/actor-services.ts';
import { goneFault, sharedFault } from '../isolation/worktree-fault.ts';
import { stateFilesOf } from '../state-files.ts';
import { actorExecution } from './execution.ts';
import { type Guard, inWorktree } from './in-worktree.ts';
import type { LocalEffect } from './local-effect.ts';

/** Captures the workspace as a git tree, and lists what has changed since the capture before. */
export const captureWorkspace = ({ capture }: Pick<ActorServices, 'capture'>): LocalEffect =>
  inWorktree(
    ({ context: { run, settings }, memory }) =>
      actorExecution(capture, {
        directory: settings.directory,
        run,
        number: memory.captures + 1,
        base: memory.captured,
        leaveOut: stateFilesOf(settings),
        needsGit: memory.loop.settings?.needsGit ?? false,
      }),
    CAPTURE_GUARD,
  );

/** Nothing that checks show of a workspace is worth anything where its dependencies were changed. */
const CAPTURE_GUARD: Guard = {
  look: async (isolation) => (await goneFault(isolation)) ?? sharedFault(isolation),
  answer: (fault) => ({ type: 'workspace.failed', payload: { fault } }),
};
