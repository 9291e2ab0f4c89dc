import type { RunSettings } from '../../../../machines/settings.ts';
import type { Actor } from '../../../actors/actor.ts';
import { type CaptureInput, captureBounds } from '../../../actors/capture/capture-actor.ts';
import { type Guard, inWorktree } from './in-worktree.ts';
import { endProcessesOf } from './end-processes.ts';
import { actorExecution } from './execution.ts';
import { type Effect, type EffectWork, lossOf } from '../effect.ts';
import type { RunWorkspaces } from '../../../ports/run-workspaces.ts';
import type { EffectServices } from '../../../ports/services.ts';

type Capturing = Pick<EffectServices, 'capture' | 'isWithin' | 'sandboxes'>;
type Inheriting = Pick<EffectServices, 'rootOf' | 'workspaces'>;

/** Captures the workspace as a git tree, and lists what has changed since the capture before. */
const captureWorkspace = (services: Capturing & Inheriting): EffectWork =>
  inWorktree(({ context: { run, settings }, memory }) => {
    const isFirstOfChild = settings.parent !== null && memory.captures === 0;
    const capture = afterProcesses(services);
    return actorExecution(isFirstOfChild ? afterInheriting(capture, settings, services) : capture, {
      directory: settings.directory,
      run,
      number: memory.captures + 1,
      // A child that works elsewhere than the run above it has begun with the files of its own worktree.
      base: memory.captured ?? (isFirstOfChild ? (settings.isolation?.base ?? null) : null),
      ...captureBounds(settings),
      needsGit: memory.loop.settings?.needsGit ?? false,
    });
  }, captureGuard(services.workspaces));

/** What is captured is what is checked: nothing of the run is at work meanwhile. */
const afterProcesses = ({ capture, ...services }: Capturing): Actor<CaptureInput> => ({
  ...capture,
  async *execute(input, call) {
    const warning = await endProcessesOf(input.run, services);
    if (warning) yield warning;
    yield* capture.execute(input, call);
  },
});

/** Captures of a child go by what git ignored when the run at the top began, and not when the child did. */
const afterInheriting = (
  capture: Actor<CaptureInput>,
  settings: RunSettings,
  { rootOf, workspaces }: Inheriting,
): Actor<CaptureInput> => ({
  ...capture,
  async *execute(input, call) {
    await workspaces.inheritRules(await rootOf(input.run), input.run, settings);
    yield* capture.execute(input, call);
  },
});

/** Nothing that checks show of a workspace is worth anything where its dependencies were changed. */
const captureGuard = ({ goneFault, sharedFault }: RunWorkspaces): Guard => ({
  look: async (isolation) => (await goneFault(isolation)) ?? sharedFault(isolation),
  answer: (fault) => ({ type: 'workspace.failed', payload: { fault } }),
});

export const capture: Effect = {
  class: 'repeatable',
  interrupted: (_, how) => lossOf('capture', how),
  handler: captureWorkspace,
};
