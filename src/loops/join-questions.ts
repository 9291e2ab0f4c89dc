import type { Fact } from '../kernel/effect-handlers.ts';
import type { AskedQuestion, Questions } from '../kernel/loop-description.ts';

/** What a run asks in several ways, as one list, oldest first. */
export class JoinedQuestions implements Questions {
  readonly #parts: readonly Questions[];

  constructor(parts: readonly Questions[]) {
    this.#parts = parts;
  }

  observe(fact: Fact): void {
    for (const part of this.#parts) part.observe(fact);
  }

  asked(): readonly AskedQuestion[] {
    const all = this.#parts.flatMap((part) => part.asked());
    return all.toSorted((one, other) => one.askedAt.localeCompare(other.askedAt));
  }
}
