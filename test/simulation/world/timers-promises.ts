/** `node:timers/promises` over the timers of this thread, which a simulation replaces. */
export function setTimeout<Value = void>(
  milliseconds?: number,
  value?: Value,
  { signal }: { readonly signal?: AbortSignal } = {},
): Promise<Value> {
  return new Promise((resolve, reject) => {
    if (signal?.aborted) return reject(signal.reason);
    const stop = () => {
      globalThis.clearTimeout(timer);
      reject(signal?.reason);
    };
    const timer = globalThis.setTimeout(() => {
      signal?.removeEventListener('abort', stop);
      resolve(value as Value);
    }, milliseconds);
    signal?.addEventListener('abort', stop, { once: true });
  });
}
