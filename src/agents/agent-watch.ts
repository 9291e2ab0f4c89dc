import { type AgentEnding, endingOf } from './agent-ending.ts';
import { LONGEST_TIMER_MS } from '../actors/longest-timer.ts';
import type { AgentTask } from './agent-port.ts';

/** The part of the longest silence after which it is told. */
const TOLD_AFTER = 1 / 3;

/** Looks after an agent that works: ends its time, its silence, and what it does beyond the limits. */
export class Watch {
  /** Resolves once, with the first reason to end the agent. Never resolves where there is none. */
  readonly cut: Promise<AgentEnding>;
  readonly #resolve: (ending: AgentEnding) => void;
  readonly #silenceMs: number;
  readonly #onQuiet: (ms: number) => void;
  readonly #ends = new AbortController();
  #silence: NodeJS.Timeout | undefined;
  #quiet: NodeJS.Timeout | undefined;
  /** Questions of the agent that wait for an answer, by number: it may be silent meanwhile. */
  #questions = 0;
  #isCut = false;

  /** `onQuiet` is called once in a silence, long before that ends the agent. */
  constructor(
    { timeMs, silenceMs, signal }: Pick<AgentTask, 'timeMs' | 'silenceMs' | 'signal'>,
    onQuiet: (ms: number) => void = () => {},
  ) {
    const { promise, resolve } = Promise.withResolvers<AgentEnding>();
    this.cut = promise;
    this.#resolve = resolve;
    this.#silenceMs = Math.min(silenceMs, LONGEST_TIMER_MS);
    this.#onQuiet = onQuiet;
    const time = setTimeout(() => this.end('timed-out', `${timeMs} ms`), Math.min(timeMs, LONGEST_TIMER_MS));
    const cancel = () => this.end('cancelled');
    if (signal.aborted) cancel();
    signal.addEventListener('abort', cancel, { signal: this.#ends.signal });
    this.#ends.signal.addEventListener('abort', () => clearTimeout(time));
    this.alive();
  }

  /** The agent has given a sign of life. */
  alive(): void {
    this.#clear();
    if (this.#questions > 0 || this.#ends.signal.aborted) return;
    this.#silence = setTimeout(() => this.end('silent', `${this.#silenceMs} ms`), this.#silenceMs);
    const toldAfter = Math.round(this.#silenceMs * TOLD_AFTER);
    this.#quiet = setTimeout(() => this.#onQuiet(toldAfter), toldAfter);
  }

  /** Leaves out the time in which we are the silent ones. */
  async during<Value>(answer: Promise<Value>): Promise<Value> {
    this.#questions += 1;
    this.alive();
    try {
      return await answer;
    } finally {
      this.#questions -= 1;
      this.alive();
    }
  }

  /** A reason to end the agent. */
  end(code: AgentEnding['code'], reason: string | null = null): void {
    this.#isCut = true;
    this.#resolve(endingOf(code, reason));
    this.stop();
  }

  /** A reason to end it was there. */
  get isCut(): boolean {
    return this.#isCut;
  }

  /** Nothing is watched any more. */
  stop(): void {
    this.#ends.abort();
    this.#clear();
  }

  #clear(): void {
    clearTimeout(this.#silence);
    clearTimeout(this.#quiet);
  }
}
