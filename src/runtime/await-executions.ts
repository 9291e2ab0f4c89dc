/**
 * Waits until all executions are over, or the grace is. A signal leaves them only the time that stopped ones need.
 * Returns whether none is left.
 */
export async function emptied(
  working: ReadonlySet<Promise<void>>,
  graceMs: number,
  signal?: AbortSignal,
): Promise<boolean> {
  const { promise: over, resolve } = Promise.withResolvers<'over'>();
  let timer = setTimeout(resolve, signal?.aborted ? 0 : graceMs, 'over');
  const hurry = () => {
    clearTimeout(timer);
    timer = setTimeout(resolve, 0, 'over');
  };
  signal?.addEventListener('abort', hurry);
  // A run below that ends may leave something behind. One wait for each: a loop over what has ended would never give
  // the timer its turn.
  const ended = new Set<Promise<void>>();
  for (let left = [...working]; left.length > 0; left = [...working].filter((one) => !ended.has(one))) {
    if ((await Promise.race([Promise.all(left), over])) === 'over') break;
    for (const one of left) ended.add(one);
  }
  signal?.removeEventListener('abort', hurry);
  clearTimeout(timer);
  return working.size === 0;
}
