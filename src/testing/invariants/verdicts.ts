import { lifeOf } from '../../runtime/fold.ts';
import type { Happening } from '../wander.ts';
import { type Invariant, InvariantBroken, same } from './invariant.ts';

/**
 * Work that is proven when it is judged is a success, whatever else has been reached by then; only an abort comes first.
 * It holds where the judge is the real one: chance decides what it likes.
 */
export const successBeatsCaps: Invariant = {
  name: 'success beats caps',
  looks: 'always',
  check({ happenings }, { rounds }) {
    const proof = new Proof(rounds.started);
    for (const happening of happenings) {
      const { event, before } = happening;
      if (event.type === 'decision.made' && isOpen(happening)) {
        const { version } = proof;
        const verified = version === null ? undefined : { version, workspace: lifeOf(before).workspace };
        if (verified) same(event.version, 'the verdict on proven work', event.payload.sink, { ending: 'success', verified, partial: false });
        if (!verified && event.payload.sink?.ending === 'success' && event.payload.sink.verified) {
          throw new InvariantBroken(event.version, 'what is called verified', event.payload.sink, 'no proof, for there is none');
        }
      }
      proof.observe(happening);
    }
  },
};

/** Nothing has come up that a proof does not answer: no abort, no fault, no words of a person that nobody has heard. */
function isOpen({ before }: Happening): boolean {
  const { abort, fault, steered, limits } = lifeOf(before);
  return abort === null && fault === null && (steered === null || limits.maxSteps === 0);
}

/** Whether the work of this round is proven, by its events alone. */
class Proof {
  readonly #roundStarted: string;
  #verification: { readonly version: number; readonly workspace: string | null } | null = null;
  #captured: string | null = null;

  constructor(roundStarted: string) {
    this.#roundStarted = roundStarted;
  }

  get version(): number | null {
    return this.#verification?.workspace === this.#captured ? (this.#verification?.version ?? null) : null;
  }

  observe({ event: { type, payload, version } }: Happening): void {
    if (type === 'workspace.captured') this.#captured = payload.hash;
    // Outside git a proof is good for its round.
    if (type === 'run.continued' && this.#captured === null) this.#verification = null;
    if (type === this.#roundStarted) this.#verification = null;
    if (type !== 'verification.completed' || payload.levels.length === 0) return;
    this.#verification = payload.passed ? { version, workspace: payload.workspace } : null;
  }
}
