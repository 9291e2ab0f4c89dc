/**
 * Whether two values have the same JSON. A member whose value is undefined does not count.
 *
 * @example
 * sameJson({ a: [1], b: undefined }, { a: [1] }); // true
 */
export function sameJson(one: unknown, other: unknown): boolean {
  // A -0 is written as 0.
  if (one === other) return true;
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false;
  if (Array.isArray(one) || Array.isArray(other))
    return Array.isArray(one) && Array.isArray(other) && sameItems(one, other);
  return hasMembersOf(one, other) && hasMembersOf(other, one, false);
}

const sameItems = (one: readonly unknown[], other: readonly unknown[]): boolean =>
  one.length === other.length && one.every((item, index) => sameJson(item ?? null, other[index] ?? null));

/** Whether each member of one is a member of the other, with the same JSON where that is asked for. */
const hasMembersOf = (one: object, other: object, withValues = true): boolean =>
  Object.keys(one).every((name) => {
    const [value, its]: unknown[] = [Reflect.get(one, name), Reflect.get(other, name)];
    return value === undefined || (its !== undefined && (!withValues || sameJson(value, its)));
  });
