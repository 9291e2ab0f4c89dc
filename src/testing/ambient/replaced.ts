/** A member of an object, and what stands there instead. */
export type Replacement = readonly [owner: object, name: string, instead: unknown];

/** Calls a function while members of global objects are replaced. However it ends, they are as they were. */
export function withReplaced<Result>(replacements: readonly Replacement[], call: () => Result): Result {
  const putBack: (() => void)[] = [];
  try {
    for (const [owner, name, instead] of replacements) {
      const was = Object.getOwnPropertyDescriptor(owner, name);
      // What a hardened process has frozen stays as it is.
      if (was?.configurable === false) continue;
      Object.defineProperty(owner, name, { value: instead, configurable: true, writable: true, enumerable: was?.enumerable ?? false });
      putBack.push(() => (was ? Object.defineProperty(owner, name, was) : Reflect.deleteProperty(owner, name)));
    }
    return call();
  } finally {
    for (const restore of putBack.toReversed()) restore();
  }
}
