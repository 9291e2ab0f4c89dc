/**
 * The smallest part of a list that is found by halves and still suffices. The list as it is where no half does, or
 * where no more tries are left. `suffices` answers null then.
 */
export async function narrowed<Item>(
  list: readonly Item[],
  suffices: (part: readonly Item[]) => Promise<boolean | null>,
): Promise<readonly Item[]> {
  if (list.length < 2) return list;
  const middle = Math.ceil(list.length / 2);
  for (const half of [list.slice(0, middle), list.slice(middle)]) {
    const does = await suffices(half);
    if (does === null) return list;
    if (does) return narrowed(half, suffices);
  }
  return list;
}
