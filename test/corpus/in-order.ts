import type { EffectHandlers } from '../../src/kernel/effect-handlers.ts';

/** Calls of one answer end in the order in which they were asked for: a story told again is to be the same. */
export class InOrder {
  readonly #ended = new Set<string>();
  readonly #waiting: (() => void)[] = [];

  /** Resolves once the call before this one, in the same answer, is recorded as ended. */
  async turnOf(callId: string): Promise<void> {
    const [step = '0', index = '0'] = callId.split('.');
    const before = `${step}.${Number(index) - 1}`;
    while (Number(index) > 0 && !this.#ended.has(before))
      await new Promise<void>((resolve) => this.#waiting.push(resolve));
  }

  watching(cast: EffectHandlers): EffectHandlers {
    return {
      ...cast,
      observe: (fact, state) => {
        cast.observe(fact, state);
        if (fact.type !== 'tool.completed' && fact.type !== 'tool.failed') return;
        this.#ended.add(fact.payload.callId);
        for (const wake of this.#waiting.splice(0)) wake();
      },
    };
  }
}
