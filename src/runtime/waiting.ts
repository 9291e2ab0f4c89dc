import { lifeOf, type RunState } from './fold.ts';

/** Whether nothing is left to do in a tree of runs until a person has answered. */
export function isWaiting(states: readonly RunState[]): boolean {
  const owed = states.map((state) => Object.entries(lifeOf(state).pending));
  const isAsking = owed.some((pending) => pending.some(([, how]) => how === 'asked'));
  return isAsking && owed.every((pending) => pending.length > 0 && pending.every(isPatient));
}

/** A parent waits for whom its attempt waits for. */
const isPatient = ([actor, how]: readonly [string, string]): boolean => how === 'asked' || (actor === 'agent' && how === 'owed');
