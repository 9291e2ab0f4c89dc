import type { Verified } from '../../../machines/outcome.ts';
import { type Accept, isEnough } from '../../evidence/enough.ts';
import { gradedChecks } from '../../evidence/grade.ts';
import { lifeOf } from '../../kernel/fold.ts';
import type { Happening } from '../random-walk.ts';
import { type Invariant, InvariantBroken, same } from './invariant.ts';

/**
 * Verified work is a success when it is judged, whatever limits were reached; only an abort comes first. It holds only
 * where the real judge decides, not in random walks.
 */
export const successBeatsCaps: Invariant = {
  name: 'success beats caps',
  looks: 'always',
  check({ started, happenings }, { rounds }) {
    const proof = new Proof(rounds.started, started.payload.settings.accept);
    for (const happening of happenings) {
      const { event, before } = happening;
      if (event.type === 'decision.made' && isOpen(happening)) {
        const verified = proof.verified && { ...proof.verified, workspace: lifeOf(before).workspace };
        if (verified)
          same(event.version, 'the verdict on proven work', event.payload.sink, {
            ending: 'success',
            verified,
            partial: false,
          });
        if (!verified && event.payload.sink?.ending === 'success' && event.payload.sink.verified) {
          throw new InvariantBroken(
            event.version,
            'what is called verified',
            event.payload.sink,
            'no verified success: the work is not verified',
          );
        }
      }
      proof.observe(happening);
    }
  },
};

/** Whether a verification decides: no abort, no fault, and no steering that a prompt has yet to contain. */
function isOpen({ before }: Happening): boolean {
  const { abort, fault, steered, limits } = lifeOf(before);
  return abort === null && fault === null && (steered === null || limits.maxSteps === 0);
}

/** Whether the work of this round is verified, from its events alone. */
class Proof {
  readonly #roundStarted: string;
  readonly #accept: Accept;
  #verification: Verified | null = null;
  #captured: string | null = null;

  constructor(roundStarted: string, accept: Accept) {
    this.#roundStarted = roundStarted;
    this.#accept = accept;
  }

  /** Null: nothing has passed on the newest capture. */
  get verified(): Verified | null {
    return this.#verification?.workspace === this.#captured ? this.#verification : null;
  }

  observe({ event: { type, payload, version } }: Happening): void {
    if (type === 'workspace.captured') this.#captured = payload.hash;
    // Outside git a verification is valid for its round only.
    if (type === 'run.continued' && this.#captured === null) this.#verification = null;
    if (type === this.#roundStarted) this.#verification = null;
    if (type !== 'verification.completed' || payload.levels.length === 0) return;
    const graded = gradedChecks(payload);
    const { passed, workspace, proof } = payload;
    const worth = graded && { grade: graded.grade, enough: isEnough(graded, proof, this.#accept) };
    this.#verification = passed ? { version, workspace, ...worth } : null;
  }
}
