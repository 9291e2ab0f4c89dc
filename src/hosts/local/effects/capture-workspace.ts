import type { ActorServices } from '../services/actor-services.ts';
import { stateFilesOf } from '../state-files.ts';
import { actorExecution } from './execution.ts';
import type { LocalEffect } from './local-effect.ts';

/** Captures the workspace as a git tree, and lists what has changed since the capture before. */
export const captureWorkspace = ({ capture }: Pick<ActorServices, 'capture'>): LocalEffect => ({
  execute: ({ context: { run, settings }, memory }) =>
    actorExecution(capture, {
      directory: settings.directory,
      run,
      number: memory.captures + 1,
      base: memory.captured,
      leaveOut: stateFilesOf(settings),
      needsGit: memory.loop.settings?.needsGit ?? false,
    }),
});
