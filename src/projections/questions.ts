import type { Fact } from '../runtime/cast.ts';
import type { LoopDefinition } from '../runtime/loop-definition.ts';
import type { AskedQuestion, LoopDescription, Questions } from '../runtime/loop-description.ts';
import { LoopInView } from './loop-in-view.ts';

/** Something a run waits for a person to answer. */
export type Question = Omit<AskedQuestion, 'isOpen' | 'answer'>;

/**
 * What one run asks people, folded from its facts in the way its loop says.
 *
 * @example
 * const asking = new Asking(loops);
 * for await (const envelope of log.read(run)) asking.observe(factOf(envelope));
 * asking.open();
 */
export class Asking {
  readonly #inView: LoopInView;
  #questions: Questions | null = null;
  /** The description that follows them. */
  #describe: LoopDescription | null = null;

  constructor(loops: readonly LoopDefinition[]) {
    this.#inView = new LoopInView(loops);
  }

  observe(fact: Fact): void {
    const loop = this.#inView.observe(fact);
    if (loop) this.#follow(loop.describe);
    this.#questions?.observe(fact);
  }

  /** A version that asks nothing leaves what the one before it has asked as it was. */
  #follow(describe: LoopDescription): void {
    if (!describe.questions || describe.questions === this.#describe?.questions) return;
    this.#questions = describe.questions(this.#questions ?? undefined);
    this.#describe = describe;
  }

  /** Oldest first. */
  asked(): readonly AskedQuestion[] {
    return this.#questions?.asked() ?? [];
  }

  /** Those that wait for an answer, oldest first. */
  open(): readonly Question[] {
    return this.asked().flatMap(({ isOpen, answer: _, ...question }) => (isOpen ? [question] : []));
  }
}

/** What to call a question by: its call's id, together with its run where another run asks under the same id. */
export const callName = ({ run, callId }: Pick<Question, 'run' | 'callId'>, open: readonly Pick<Question, 'run' | 'callId'>[]): string =>
  open.some((one) => one.callId === callId && one.run !== run) ? `${run}/${callId}` : callId;
