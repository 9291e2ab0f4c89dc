import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { AskedQuestion, LoopDescription, Questions } from '../kernel/loop-description.ts';
import { LoopInView, type Remedy, remedyAfter } from './loop-in-view.ts';

/** An open question of a run to a user. */
export type Question = Omit<AskedQuestion, 'isOpen' | 'answer'>;

/** A question with its answer, and the time of the event that holds the answer (RFC 3339). */
export interface AnsweredQuestion extends Question {
  readonly answer: string;
  readonly answeredAt: string;
}

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
  #remedy: Remedy | null = null;
  /** The description that made `#questions`. */
  #describe: LoopDescription | null = null;
  /** By event and call: since when a question has its answer. */
  readonly #answeredAt = new Map<string, string>();

  constructor(loops: readonly LoopDefinition[]) {
    this.#inView = new LoopInView(loops);
  }

  observe(fact: Fact): void {
    const loop = this.#inView.observe(fact);
    if (loop) this.#follow(loop.describe);
    this.#questions?.observe(fact);
    this.#remedy = remedyAfter(this.#remedy, fact, loop);
    // An answer comes as a command: after other events no question has an answer that it did not have before.
    if (Object.hasOwn(loop?.commands ?? {}, fact.type)) this.#noteAnswers(fact.at);
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

  /** What a person has to do outside of the program. */
  remedy(): Remedy | null {
    return this.#remedy;
  }

  /** The questions that have an answer, as they were asked: oldest first. */
  answered(): readonly AnsweredQuestion[] {
    return this.asked().flatMap(({ isOpen: _, answer, ...question }) => {
      const answeredAt = this.#answeredAt.get(keyOf(question));
      return answer === null || answeredAt === undefined ? [] : [{ ...question, answer, answeredAt }];
    });
  }

  /** The questions that were withdrawn before they had an answer, as by an abort: oldest first. */
  withdrawn(): readonly Question[] {
    return this.asked().flatMap(({ isOpen, answer, ...question }) => (isOpen || answer !== null ? [] : [question]));
  }

  #noteAnswers(at: string): void {
    for (const one of this.asked()) {
      if (one.answer !== null && !this.#answeredAt.has(keyOf(one))) this.#answeredAt.set(keyOf(one), at);
    }
  }
}

/** Ids of calls are unique among open questions only. */
const keyOf = ({ event, callId }: Pick<Question, 'event' | 'callId'>): string => `${event} ${callId}`;

/** The name of a question: the id of its call, with the run where another run has a question under the same id. */
export const callName = (
  { run, callId }: Pick<Question, 'run' | 'callId'>,
  open: readonly Pick<Question, 'run' | 'callId'>[],
): string => (open.some((one) => one.callId === callId && one.run !== run) ? `${run}/${callId}` : callId);
