import type { StoredEvent } from '../chain.ts';
import { bareEnvelopeOf } from '../event-envelope.ts';
import type { BareEnvelope, VerifyResult } from '../event-store.ts';
import { type Verifiable, Verification } from '../verify-tree.ts';
import type { OpenStore } from './open-store.ts';
import { storedPages, verifiableTables } from './verifiable-tables.ts';

/** The runs of a store, as they are verified: each is compared with its note in any case. */
export const verifiable = ({ tables, headCheck }: OpenStore): Verifiable =>
  verifiableTables(tables, (run) => headCheck.segmentsByNote(run));

/** The pages of a run, each verified before it is given. Returns what verifying has found. */
export async function* readVerified(
  store: OpenStore,
  run: string,
): AsyncGenerator<readonly BareEnvelope[], VerifyResult> {
  const [from, verification] = store.reading(() => {
    const readable = verifiable(store);
    return [storedIn(store, run), new Verification(readable, run)] as const;
  });
  for (;;) {
    const page = store.reading(() => {
      const { value, done } = from.next();
      return done ? null : followingIn(value, verification, store);
    });
    if (page === null) return verification.result;
    yield page.envelopes;
    if (!page.isWhole) return verification.result;
  }
}

function followingIn(page: readonly StoredEvent[], verification: Verification, store: OpenStore) {
  const envelopes: BareEnvelope[] = [];
  for (const event of page) {
    if (!verification.take(event)) return { envelopes, isWhole: false };
    envelopes.push(bareEnvelopeOf(event, store));
  }
  return { envelopes, isWhole: true };
}

/** The pages of a run, after comparing it with its note in any case. */
const storedIn = ({ headCheck, tables }: OpenStore, run: string): Generator<readonly StoredEvent[]> =>
  storedPages(tables.events, headCheck.segmentsByNote(run));
