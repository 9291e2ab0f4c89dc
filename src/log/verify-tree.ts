import { ChainCheck, type StoredEvent } from './chain.ts';
import { runOfEffect } from './effect-names.ts';
import type { TreeVerified, VerifyResult } from './event-store.ts';
import { jsonIn } from '../text/json-in.ts';
import { type Listed, type Listing, runsBelow } from './tree-listing.ts';
import { blobOf } from './prepare-events.ts';

/** The part of an engine that verifying a run needs, besides its events. */
export interface Vouching extends Pick<Listing, 'find'> {
  /** The ending of a run, by its events. Null: it is open. */
  ending(run: string): string | null;
  readonly blobText: (sha256: string) => string | null;
}

/** The part of an engine that verifying needs where it answers at once. */
export interface Verifiable extends Vouching, Listing {
  /** The events of a run in order, a shared prefix included. */
  events(run: string): Iterable<StoredEvent>;
}

/**
 * Recomputes the chain of a run event by event, and compares what its events say of its place in the tree with what the
 * store has: the effect that opened it, the children that have settled, and how those ended.
 */
export class Verification {
  readonly #store: Vouching;
  readonly #listed: Listed | null;
  readonly #chain: ChainCheck;
  #misplaced: Extract<VerifyResult, { readonly kind: 'broken' }> | null = null;

  constructor(store: Vouching, run: string) {
    this.#store = store;
    this.#listed = store.find(run);
    this.#chain = new ChainCheck(store.blobText);
  }

  /** Takes the events of the run in order. False: this one does not follow, and none after it counts. */
  take(event: StoredEvent): boolean {
    if (!this.#chain.take(event)) return false;
    const misplaced = this.#misplaced || !this.#listed ? null : misplacement(this.#store, this.#listed, event);
    if (misplaced !== null) this.#misplaced = { kind: 'broken', version: event.version, reason: misplaced };
    return true;
  }

  /** What was found, once all events were taken. A chain that breaks counts before a run in the wrong place. */
  get result(): VerifyResult {
    const { result } = this.#chain;
    // No run is listed without its first event.
    if (result.kind === 'unknown_run' && this.#listed) return { kind: 'broken', version: 1, reason: NO_EVENTS };
    return result.kind === 'broken' ? result : (this.#misplaced ?? result);
  }
}

/** Verifies a whole run. */
export function verifyRun(store: Verifiable, run: string): VerifyResult {
  const verification = new Verification(store, run);
  for (const event of store.events(run)) if (!verification.take(event)) break;
  return verification.result;
}

/** Verifies a run and every run below it, and of a child that it is as its parent has recorded. */
export function verifyTree(store: Verifiable, run: string): TreeVerified {
  const verified = verifyRun(store, run);
  if (verified.kind === 'broken') return { ...verified, run };
  const reason = verified.kind === 'intact' ? toldAbove(store, run) : null;
  if (verified.kind === 'intact' && reason !== null) return { kind: 'broken', run, version: verified.version, reason };
  const { below, strays } = runsBelow(store, run);
  // The first event of a stray says where it belongs.
  for (const one of [...below, ...strays]) {
    const child = verifyRun(store, one);
    if (child.kind === 'broken') return { ...child, run: one };
  }
  const [stray] = strays;
  return stray === undefined ? verified : { kind: 'broken', run: stray, version: 1, reason: STRAY };
}

export const NO_EVENTS = 'it has no events';
export const STRAY = 'it is listed in the tree of one run, and as opened by another that is not in it';

/** Why an event does not fit what the store lists, or null. */
function misplacement(store: Vouching, { run, root, parentEffect }: Listed, event: StoredEvent): string | null {
  if (event.text === null) return null;
  // A shared prefix is the history of another run, and no effect has opened the one that continues it.
  const isShared = event.run !== run;
  if (event.version === 1 && event.type === 'run.started') {
    const opened = isShared ? null : openedBy(payloadOf(store, event.text));
    if (opened !== parentEffect)
      return `it was opened by ${opened ?? 'no effect'}, and is listed as ${parentEffect ?? 'a root'}`;
    const expected = parentEffect === null ? run : store.find(runOfEffect(parentEffect))?.root;
    return root === expected
      ? null
      : `it is listed in the tree of ${root}, not in that of ${expected ?? 'its parent, which is missing'}`;
  }
  if (isShared || event.type !== 'child.settled') return null;
  return settledFault(store, { run, root }, payloadOf(store, event.text));
}

/** Why a child is not as it was when its parent recorded the end of it, or null. */
export function settledFault(
  store: Pick<Vouching, 'find' | 'ending'>,
  { run, root }: Omit<Listed, 'parentEffect'>,
  payload: Payload,
): string | null {
  const { child } = payload;
  if (typeof child !== 'string') return null;
  const listed = store.find(child);
  if (!listed) return `its child ${child} is not in the log`;
  if (listed.root !== root) return `its child ${child} is listed in the tree of ${listed.root}`;
  // Under another run it would be outside of what is verified below this one.
  if (listed.parentEffect === null || runOfEffect(listed.parentEffect) !== run)
    return `its child ${child} is listed as ${listed.parentEffect ?? 'a root'}`;
  const { ending } = Object(payload['outcome']) as Payload;
  if (typeof ending !== 'string') return null;
  // Nothing is recorded in a child after its end, and its parent records that end only once it is durable.
  const now = store.ending(child);
  return now === ending ? null : `its child ${child} had ended in ${ending}, and is ${now ?? 'without its end'} here`;
}

/** The same, of a child by itself. Its parent is not verified. */
function toldAbove(store: Verifiable, run: string): string | null {
  const effect = store.find(run)?.parentEffect ?? null;
  const above = effect === null ? null : store.find(runOfEffect(effect));
  if (above === null) return null;
  for (const { type, run: writer, text } of store.events(above.run)) {
    if (type !== 'child.settled' || writer !== above.run || text === null) continue;
    const payload = payloadOf(store, text);
    if (payload['child'] === run) return settledFault(store, above, payload);
  }
  return null;
}

export type Payload = { readonly [member: string]: unknown };

export function payloadOf(store: Pick<Vouching, 'blobText'>, text: string): Payload {
  const sha = blobOf(text);
  return Object(jsonIn(sha === null ? text : (store.blobText(sha) ?? ''))) as Payload;
}

/** The effect that a first event names as the one that opened its run. */
function openedBy({ settings }: Payload): string | null {
  const { parent } = Object(settings) as Payload;
  const { effect } = Object(parent) as Payload;
  return typeof effect === 'string' ? effect : null;
}
