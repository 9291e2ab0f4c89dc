/** A member of an object, and its replacement. */
export type Replacement = readonly [owner: object, name: string, instead: unknown];

/** Calls a function while members of global objects are replaced, and restores them however the call ends. */
export function withReplaced<Result>(replacements: readonly Replacement[], call: () => Result): Result {
  const putBack: (() => void)[] = [];
  try {
    for (const [owner, name, instead] of replacements) {
      const was = Object.getOwnPropertyDescriptor(owner, name);
      // A hardened process may have frozen the member: it stays.
      if (was?.configurable === false) continue;
      Object.defineProperty(owner, name, {
        value: instead,
        configurable: true,
        writable: true,
        enumerable: was?.enumerable ?? false,
      });
      putBack.push(() => (was ? Object.defineProperty(owner, name, was) : Reflect.deleteProperty(owner, name)));
    }
    return call();
  } finally {
    for (const restore of putBack.toReversed()) restore();
  }
}
