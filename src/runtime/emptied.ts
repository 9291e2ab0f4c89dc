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
  // Again and again: a run below that ends may leave something behind.
  while (working.size > 0 && (await Promise.race([Promise.all(working), over])) !== 'over');
  signal?.removeEventListener('abort', hurry);
  clearTimeout(timer);
  return working.size === 0;
}
