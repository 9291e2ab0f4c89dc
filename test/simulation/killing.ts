import type { Log } from '../../src/log/log.ts';
import { aroundAppend } from '../support/around-append.ts';

/** A point where a process dies: just before its n-th append is attempted, or as soon as that is durable. */
export interface Kill {
  readonly when: 'before' | 'after';
  /** 1-based. */
  readonly append: number;
  /** Appends count from the first one with an event of this type, itself included. */
  readonly from?: string;
}

/** A log that counts its appends, and may kill its own process at one of them. */
export function killing(log: Log, kill: Kill | null): { readonly log: Log; readonly appends: () => number } {
  let count = 0;
  const die = () => process.kill(process.pid, 'SIGKILL');
  const counting = aroundAppend(log, async (request, append) => {
    const isCounted = count > 0 || !kill?.from || request.events.some(({ type }) => type === kill.from);
    if (isCounted) count += 1;
    const isNow = isCounted && count === kill?.append;
    if (isNow && kill.when === 'before') die();
    const result = await append(request);
    if (isNow && kill.when === 'after') die();
    return result;
  });
  return { log: counting, appends: () => count };
}
