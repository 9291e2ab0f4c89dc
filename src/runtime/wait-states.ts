import { lifeOf, type RunState } from '../kernel/fold.ts';
import { type LoopDefinition, specOf } from '../kernel/loop-definition.ts';

/** A run of a tree, and the effect (`RUN/version/n`) that opened it. */
export interface Member {
  readonly id: string;
  readonly state: RunState;
  readonly loop: LoopDefinition;
  readonly parentEffect: string | null;
}

/** Whether nothing is left to do in a tree of runs until a person has answered. */
export function isWaiting(members: readonly Member[]): boolean {
  const performed = new Set(members.map(({ parentEffect: performs }) => performs));
  return (
    members.some(({ state }) => Object.values(lifeOf(state).pending).includes('asked')) &&
    members.every((member) => isPatient(member, performed))
  );
}

/** Whether a run waits only for people, itself or through the runs that it has delegated work to. */
export function waitsForPerson({ state }: Pick<Member, 'state'>): boolean {
  const owing = Object.values(lifeOf(state).pending);
  return owing.length > 0 && owing.every((how) => how === 'asked' || how === 'waiting');
}

/** A run waits for a person where its children do, as long as each of them is in this process. */
function isPatient({ id, state, loop }: Member, performed: ReadonlySet<string | null>): boolean {
  const owing = Object.entries(lifeOf(state).pending);
  const isChild = (key: string) =>
    state.outstanding.some(
      (one) => one.key === key && specOf(one, loop).class === 'child' && performed.has(`${id}/${one.effect}`),
    );
  return owing.length > 0 && owing.every(([key, how]) => how === 'asked' || (how !== 'told' && isChild(key)));
}
