import { personActor } from '../../../actors/person/person-actor.ts';
import type { Clock } from '../../../actors/timer/clock.ts';
import { timerActor } from '../../../actors/timer/timer-actor.ts';
import { verifyActor } from '../../../actors/verify/verify-actor.ts';
import { captureActor } from '../../../actors/capture/capture-actor.ts';
import { pushedCaptures } from '../../../actors/capture/push-captures.ts';
import { CaptureRemote } from '../../../git/remote/capture-remote.ts';
import type { CommonActors } from '../../../ports/effect-tools.ts';

/** `store`: the address of the log; null: there is none. `captures`: the repository that gets each capture. */
export const actorServices = (clock: Clock, store: string | null, captures?: string): CommonActors => ({
  person: personActor(),
  capture:
    captures === undefined ? captureActor(store) : pushedCaptures(captureActor(store), new CaptureRemote(captures)),
  verify: verifyActor(),
  timer: timerActor(clock),
});
