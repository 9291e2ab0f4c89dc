import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { AskedQuestion, LoopDescription, Questions } from '../kernel/loop-description.ts';
import { LoopInView } from './loop-in-view.ts';

/** An open question of a run to a user. */
export type Question = Omit<AskedQuestion, 'isOpen' | 'answer'>;

/**
 * The questions of one run to users, folded from its facts as its loop's description says.
 *
 * @example
 * const asking = new Asking(loops);
 * for await (const envelope of log.read(run)) asking.observe(factOf(envelope));
 * asking.open();
 */
export class Asking {
  readonly #inView: LoopInView;
  #questions: Questions | null = null;
  /** The description that made `#questions`. */
  #describe: LoopDescription | null = null;

  constructor(loops: readonly LoopDefinition[]) {
    this.#inView = new LoopInView(loops);
  }

  observe(fact: Fact): void {
    const loop = this.#inView.observe(fact);
    if (loop) this.#follow(loop.describe);
    this.#questions?.observe(fact);
  }

  /** After a migration to a version without questions, those of the version before stay as they are. */
  #follow(describe: LoopDescription): void {
    if (!describe.questions || describe.questions === this.#describe?.questions) return;
    this.#questions = describe.questions(this.#questions ?? undefined);
    this.#describe = describe;
  }

  /** Oldest first. */
  asked(): readonly AskedQuestion[] {
    return this.#questions?.asked() ?? [];
  }

  /** The questions that wait for an answer, oldest first. */
  open(): readonly Question[] {
    return this.asked().flatMap(({ isOpen, answer: _, ...question }) => (isOpen ? [question] : []));
  }
}

/** The name of a question: the id of its call, with the run where another run has a question under the same id. */
export const callName = (
  { run, callId }: Pick<Question, 'run' | 'callId'>,
  open: readonly Pick<Question, 'run' | 'callId'>[],
): string => (open.some((one) => one.callId === callId && one.run !== run) ? `${run}/${callId}` : callId);
