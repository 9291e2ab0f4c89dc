import type { Replacement } from './replace-ambient.ts';

type Call = (this: unknown, ...given: unknown[]) => unknown;

/** Methods that use the locale of the process by default, and the index of the argument that names another. */
const LOCALISED: readonly (readonly [owner: object, name: string, argument: number])[] = [
  [String.prototype, 'localeCompare', 1],
  [String.prototype, 'toLocaleLowerCase', 0],
  [String.prototype, 'toLocaleUpperCase', 0],
  [Number.prototype, 'toLocaleString', 0],
  [Date.prototype, 'toLocaleString', 0],
  [Date.prototype, 'toLocaleDateString', 0],
  [Date.prototype, 'toLocaleTimeString', 0],
];

/** Makes those methods use another locale by default, because a process cannot change its own. */
export const localesReplaced = (locale: string): Replacement[] =>
  LOCALISED.map(([owner, name, argument]) => {
    const real = Reflect.get(owner, name) as Call;
    const call: Call = function called(...given) {
      return Reflect.apply(
        real,
        this,
        given[argument] === undefined ? Object.assign([...given], { [argument]: locale }) : given,
      );
    };
    return [owner, name, call];
  });
