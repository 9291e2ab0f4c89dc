import type { RunSettings } from '../../../../machines/settings.ts';
import type { Actor } from '../../../actors/actor.ts';
import { type CaptureInput, captureBounds } from '../../../actors/capture/capture-actor.ts';
import { inheritRefs } from '../../../git/run-refs.ts';
import { callOf } from '../../../actors/capture-repository.ts';
import { goneFault, sharedFault, type Guard, inWorktree } from './in-worktree.ts';
import { endProcessesOf } from './end-processes.ts';
import { actorExecution } from './execution.ts';
import { type Effect, type EffectWork, lossOf } from '../effect.ts';
import type { EffectServices } from '../../../ports/services.ts';

type Capturing = Pick<EffectServices, 'capture' | 'isWithin' | 'sandboxes'>;

/** Captures the workspace as a git tree, and lists what has changed since the capture before. */
const captureWorkspace = (services: Capturing & Pick<EffectServices, 'rootOf'>): EffectWork =>
  inWorktree(({ context: { run, settings }, memory }) => {
    const isFirstOfChild = settings.parent !== null && memory.captures === 0;
    const capture = afterProcesses(services);
    return actorExecution(isFirstOfChild ? afterInheriting(capture, settings, services.rootOf) : capture, {
      directory: settings.directory,
      run,
      number: memory.captures + 1,
      // A child that works elsewhere than the run above it has begun with the files of its own worktree.
      base: memory.captured ?? (isFirstOfChild ? (settings.isolation?.base ?? null) : null),
      ...captureBounds(settings),
      needsGit: memory.loop.settings?.needsGit ?? false,
    });
  }, CAPTURE_GUARD);

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
  rootOf: EffectServices['rootOf'],
): Actor<CaptureInput> => ({
  ...capture,
  async *execute(input, call) {
    // The log goes first, as in every capture. Where git keeps nothing of that run, it decides by what it ignores now.
    const names = ['log', 0, 'rules'] as const;
    await inheritRefs(await rootOf(input.run), input.run, names, callOf(settings)).catch(() => {});
    yield* capture.execute(input, call);
  },
});

/** Nothing that checks show of a workspace is worth anything where its dependencies were changed. */
const CAPTURE_GUARD: Guard = {
  look: async (isolation) => (await goneFault(isolation)) ?? sharedFault(isolation),
  answer: (fault) => ({ type: 'workspace.failed', payload: { fault } }),
};

export const capture: Effect = {
  class: 'repeatable',
  interrupted: (_, how) => lossOf('capture', how),
  handler: captureWorkspace,
};
