/**
 * Tells whether a value has objects or lists within each other in more than so many levels. The value may be nested so
 * deep that a function which calls itself for each level would find no room on the stack.
 *
 * @example
 * isDeeperThan(1, { a: [] }); // true
 */
export function isDeeperThan(levels: number, value: unknown): boolean {
  const seen = new Set<unknown>();
  let level: readonly unknown[] = [value].filter(isNesting);
  for (let depth = 0; level.length > 0; depth += 1) {
    if (depth === levels) return true;
    for (const one of level) seen.add(one);
    level = level.flatMap((one) => membersOf(one).filter((member) => isNesting(member) && !seen.has(member)));
  }
  return false;
}

const isNesting = (value: unknown): value is object => typeof value === 'object' && value !== null;

/** An accessor is not JSON, and is not called. */
const membersOf = (value: unknown): readonly unknown[] =>
  Object.values(Object.getOwnPropertyDescriptors(value)).map((member): unknown => member.value);
