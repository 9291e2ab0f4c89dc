import type { EventOf, LoopEvent } from '../../../machines/events.ts';
import type { ServerQuestion } from '../../../machines/server-question.ts';
import type { Access } from '../../kernel/access-through-walls.ts';

/** The most questions about walls that one run asks: what is refused after them is told to its model alone. */
const MAX_QUESTIONS = 20;

/** A place that walls refused to a call, and that a person does not open. */
export interface KeptShut {
  readonly question: ServerQuestion;
  readonly answer: string;
}

/** The places of a network that people have opened to single calls, or kept shut, folded from the facts of a run. */
export class WallOpenings {
  readonly #declined = new Set<string>();
  /** By the id of a call that has no result yet. */
  readonly #asked = new Map<string, ServerQuestion>();
  readonly #opened = new Map<string, readonly string[]>();
  readonly #shut = new Map<string, KeptShut>();
  #questions = 0;

  observe({ type, payload }: LoopEvent): void {
    switch (type) {
      case 'server.asked':
        if (payload.question.opens === undefined) return;
        this.#asked.set(payload.callId, payload.question);
        this.#questions += 1;
        break;
      case 'server.answered':
        this.#rule(payload);
        break;
      case 'tool.completed':
      case 'tool.failed':
      case 'tool.interrupted':
        for (const known of [this.#asked, this.#opened, this.#shut]) known.delete(payload.callId);
        break;
    }
  }

  /** The places that a call may reach beside those of its run. It may, once. */
  openedTo(callId: string): readonly Access[] {
    return (this.#opened.get(callId) ?? []).map((path) => ({ path, opens: 'network' }));
  }

  /** The answer that keeps walls shut to a call. Null: it may run. */
  shutTo(callId: string): KeptShut | null {
    return this.#shut.get(callId) ?? null;
  }

  /** Tells if a question may be asked: it was not answered with no, and there were not too many. */
  mayAsk({ digest }: Pick<ServerQuestion, 'digest'>): boolean {
    return this.#questions < MAX_QUESTIONS && !this.#declined.has(digest);
  }

  #rule({ callId, answer, form }: EventOf<'server.answered'>['payload']): void {
    const question = this.#asked.get(callId);
    if (question?.opens === undefined || question.digest !== form.digest) return;
    this.#asked.delete(callId);
    if (form.action === 'accept') {
      this.#opened.set(callId, [...new Set([...(this.#opened.get(callId) ?? []), ...question.opens])]);
      return;
    }
    this.#declined.add(form.digest);
    this.#shut.set(callId, { question, answer });
  }
}
