import { personActor } from '../../../actors/person/person-actor.ts';
import type { Clock } from '../../../actors/timer/clock.ts';
import { timerActor } from '../../../actors/timer/timer-actor.ts';
import { verifyActor } from '../../../actors/verify/verify-actor.ts';
import { captureActor } from '../../../actors/capture/capture-actor.ts';
import type { CommonActors } from '../../../loops/shared/services/effect-tools.ts';

/** `store`: the address of the log; null: there is none. */
export const actorServices = (clock: Clock, store: string | null): CommonActors => ({
  person: personActor(),
  capture: captureActor(store),
  verify: verifyActor(),
  timer: timerActor(clock),
});
