/** Waits for a promise, or until a signal aborts. */
export async function untilMoved(moved: Promise<void>, signal: AbortSignal): Promise<void> {
  const { promise: left, resolve } = Promise.withResolvers<void>();
  const leave = () => resolve();
  signal.addEventListener('abort', leave, { once: true });
  await Promise.race([moved, left]);
  signal.removeEventListener('abort', leave);
}
