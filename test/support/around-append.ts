import type { Log } from '../../src/log/log.ts';
import type { Append, AppendResult } from '../../src/log/event-store.ts';

type Appending = (request: Append, append: (request: Append) => Promise<AppendResult>) => Promise<AppendResult>;

/** A log that delegates to another one; its appends go through `around`. */
export function aroundAppend(log: Log, around: Appending): Log {
  const append = (request: Append) => around(request, (passed) => log.append(passed));
  return new Proxy(log, {
    get: (target, member) => {
      if (member === 'append') return append;
      const value: unknown = Reflect.get(target, member);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
}

/** A log that remembers which events it was given together. */
export function batching(log: Log): { readonly log: Log; readonly batches: readonly (readonly string[])[] } {
  const batches: string[][] = [];
  const around: Appending = (request, append) => {
    batches.push(request.events.map(({ type }) => type));
    return append(request);
  };
  return { log: aroundAppend(log, around), batches };
}
