import type { CaptureRemote } from '../../git/remote/capture-remote.ts';
import { worktreeAround } from '../../git/worktree/worktree-around.ts';
import type { Actor } from '../actor.ts';
import type { CaptureInput } from './capture-actor.ts';

/**
 * Captures as `actor` does, and pushes each capture before its event is told: a fact never names what only this
 * machine has. Throws an `EnvironmentFault` where the push fails, so that the run waits.
 */
export const pushedCaptures = (actor: Actor<CaptureInput>, remote: CaptureRemote): Actor<CaptureInput> => ({
  ...actor,
  async *execute(input, call) {
    for await (const event of actor.execute(input, call)) {
      if (event.type === 'workspace.captured' && event.payload.ref !== null) {
        const { directory, run } = input;
        const repository = (await worktreeAround(directory))?.repository.gitDirectory ?? directory;
        await remote.push(run, { directory: repository, signal: call.signal });
      }
      yield event;
    }
  },
});
