import type { Actor } from '../../../actors/actor.ts';
import { personActor } from '../../../actors/person/person-actor.ts';
import type { Clock } from '../../../actors/timer/clock.ts';
import { timerActor, type TimerInput } from '../../../actors/timer/timer-actor.ts';
import { verifyActor, type VerifyInput } from '../../../actors/verify/verify-actor.ts';
import { captureActor, type CaptureInput } from '../../../actors/workspace/capture-actor.ts';

/** The actors that are the same for every run. */
export interface ActorServices {
  readonly person: Actor<null>;
  readonly capture: Actor<CaptureInput>;
  readonly verify: Actor<VerifyInput>;
  readonly timer: Actor<TimerInput>;
}

/** `store`: the address of the log; null: there is none. */
export const actorServices = (clock: Clock, store: string | null): ActorServices => ({
  person: personActor(),
  capture: captureActor(store),
  verify: verifyActor(),
  timer: timerActor(clock),
});
