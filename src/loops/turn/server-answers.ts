import type { LoopEvent, ToolCall } from '../../../machines/events.ts';
import type { GivenForm } from '../../../machines/server-question.ts';
import { signatureOf } from '../../detectors/signature.ts';

/** How many calls keep their answers: the newest. */
const MAX_CALLS = 100;

/**
 * What people have answered the servers of tools, folded from the facts of a run. A call that was lost before it had a
 * result keeps its answers: the same call, made again, is not asked about again.
 */
export class ServerAnswers {
  #calls: readonly ToolCall[] = [];
  /** By the signature of a call: the newest last. */
  readonly #answers = new Map<string, readonly GivenForm[]>();

  observe({ type, payload }: LoopEvent): void {
    if (type === 'model.completed') this.#calls = payload.calls;
    if (type === 'server.answered') this.#keep(payload.callId, payload.form);
    if (type === 'tool.completed' || type === 'tool.failed') this.#answers.delete(this.#signature(payload.callId));
  }

  answersTo(call: Pick<ToolCall, 'tool' | 'arguments'>): readonly GivenForm[] {
    return this.#answers.get(signatureOf(call) ?? '') ?? [];
  }

  #keep(callId: string, form: GivenForm): void {
    const signature = this.#signature(callId);
    const earlier = this.#answers.get(signature) ?? [];
    this.#answers.delete(signature);
    this.#answers.set(signature, [...earlier.filter(({ digest }) => digest !== form.digest), form]);
    const [oldest] = this.#answers.keys();
    if (this.#answers.size > MAX_CALLS && oldest !== undefined) this.#answers.delete(oldest);
  }

  #signature(callId: string): string {
    const call = this.#calls.find((one) => one.callId === callId);
    return (call && signatureOf(call)) ?? '';
  }
}
