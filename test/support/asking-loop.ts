import { assign, createMachine } from 'xstate';
import { loop as reviewed } from '../../docs/examples/own-loop/reviewed.loop.ts';
import type { ReviewedEvent } from '../../docs/examples/own-loop/reviewed.events.ts';
import type { CatalogueEntry } from '../../machines/index.ts';
import * as life from '../../machines/life.ts';
import { defineLoop } from '../../src/loops/define-loop.ts';
import type { FactOf } from '../../src/kernel/effect-handlers.ts';
import type { AskedQuestion, Questions } from '../../src/kernel/loop-description.ts';

/** What a reader is asked: whether work that has passed its checks is good. */
class Readers implements Questions {
  #asked: readonly AskedQuestion[] = [];

  observe({ type, payload, run, version, at }: FactOf<ReviewedEvent>): void {
    if (type === 'verification.completed' && payload.passed) {
      const words = { kind: 'question', text: 'Is it good?', choices: ['yes', 'no'], path: null } as const;
      const question = {
        run,
        callId: `review.${version}`,
        ...words,
        askedAt: at,
        event: `${run}/${version}`,
        isOpen: true,
        answer: null,
      };
      this.#asked = [...this.#asked, question];
    }
    if (type === 'review.given') this.#close(payload.remark);
    if (type === 'review.interrupted' || type === 'abort.requested') this.#close(null);
  }

  asked() {
    return this.#asked;
  }

  #close(answer: string | null): void {
    this.#asked = this.#asked.map((one) => (one.isOpen ? { ...one, isOpen: false, answer } : one));
  }
}

/** The example, whose reviewer is a person. */
function machine(): CatalogueEntry['machine'] {
  const { context, ...chart } = reviewed.machine.config;
  const owing = '{"type":"awaitResult","params":{"actor":"review"}}';
  const text = JSON.stringify({ ...chart, id: 'read' })
    .replaceAll('#reviewed.', '#read.')
    .replace(owing, owing.replace('awaitResult', 'ask'));
  const { actions, ...others } = reviewed.machine.implementations;
  const ask = assign((on: never, params: { actor: string }) => life.ask(on, params));
  const implementations = { ...others, actions: { ...actions, ask } };
  return createMachine(
    { ...JSON.parse(text), context } as never,
    implementations as never,
  ) as unknown as CatalogueEntry['machine'];
}

const { handlers: _, module: _module, id: _id, effects, describe, ...rest } = reviewed;

/** A loop of one's own that asks a person, and takes the answer as an event of its own. */
export const askingLoop = defineLoop({
  ...rest,
  machine: machine(),
  effects: {
    ...effects,
    askReviewer: {
      class: 'repeatable',
      asksPerson: true,
      answers: { 'review.given': 'review', 'review.failed': 'review', 'review.interrupted': 'review' },
      interrupted: (_one, { reason }) => ({ type: 'review.interrupted', payload: { reason } }),
    },
  },
  commands: { 'review.given': () => 'no reader was asked' },
  answered: (_call, { answer }) => ({ type: 'review.given', payload: { approved: answer === 'yes', remark: answer } }),
  describe: { ...describe, questions: () => new Readers() },
});
