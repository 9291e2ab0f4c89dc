import type { EventOf, LoopEvent, ToolCall } from '../../machines/events.ts';
import { signatureOf } from '../detectors/signature.ts';

/** How many rulings of people a run keeps: the newest. */
const MAX_KEPT = 500;

type Admitted = EventOf<'calls.admitted'>['payload'];

/** What people have ruled about the calls of one run, folded from its facts. */
export class PermissionMemory {
  #calls: readonly ToolCall[] = [];
  /** Digests of calls that are allowed once, and of those that are denied. */
  #allowed: readonly string[] = [];
  #denied: readonly string[] = [];
  #remembered: readonly string[] = [];

  observe({ type, payload }: LoopEvent): void {
    if (type === 'model.completed') this.#calls = payload.calls;
    if (type === 'calls.admitted') this.#spend(payload);
    if (type === 'person.answered' && payload.permission) this.#rule(payload.permission);
  }

  isAllowed(digest: string): boolean {
    return this.#allowed.includes(digest);
  }

  isDenied(digest: string): boolean {
    return this.#denied.includes(digest);
  }

  /** What is allowed for good in this run. */
  get remembered(): readonly string[] {
    return this.#remembered;
  }

  /** A call that was allowed once is allowed no more when it has begun. */
  #spend({ run }: Admitted): void {
    const begun = run.flatMap(({ callId, permission }) => {
      const call = permission ? undefined : this.#calls.find((one) => one.callId === callId);
      return call ? [signatureOf(call)] : [];
    });
    this.#allowed = this.#allowed.filter((digest) => !begun.includes(digest));
  }

  #rule({ granted, digest, remembers }: NonNullable<EventOf<'person.answered'>['payload']['permission']>): void {
    const others = (all: readonly string[]) => all.filter((one) => one !== digest);
    this.#allowed = granted ? [...others(this.#allowed), digest].slice(-MAX_KEPT) : others(this.#allowed);
    this.#denied = granted ? others(this.#denied) : [...others(this.#denied), digest].slice(-MAX_KEPT);
    this.#remembered = [...new Set([...this.#remembered, ...(remembers ?? [])])].slice(-MAX_KEPT);
  }
}
