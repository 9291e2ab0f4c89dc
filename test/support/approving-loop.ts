import { createHash } from 'node:crypto';
import { type AskedQuestion, defineLoop, type FactOf, type Questions } from 'loopfold';
import { attemptFacts, fact, Fault, type Life, lifeFacts, lifeFor, type Recorded } from 'loopfold/machines';
import { assign, createMachine } from 'xstate';
import { z } from 'zod';
import { loop as reviewed } from '../../docs/examples/own-loop/reviewed.loop.ts';

// It imports what a loop in a project can import, so that tests of the program can put it into one.

const [iterationStarted, , , childSettled] = attemptFacts;

const ApprovingEvent = z.discriminatedUnion('type', [
  ...lifeFacts,
  iterationStarted,
  childSettled,
  fact('review.given', { approved: z.boolean(), remark: z.string(), digest: z.string() }),
  fact('review.failed', { fault: Fault }),
  fact('review.interrupted', { reason: z.string() }),
]);
type ApprovingEvent = z.infer<typeof ApprovingEvent>;

/** The name of its only question, as a loop would name a file that a person has edited. */
export const CALL = 'state-file';

/** What is allowed: to go on from these versions of the work and of the task. */
const digestOf = (verified: number | undefined, steered: number | null): string =>
  createHash('sha256').update(`${verified}/${steered}`).digest('hex');

/** One question, about newer content whenever the task is added to while it is open. */
class Approvals implements Questions {
  #asked: readonly AskedQuestion[] = [];
  #verified: number | undefined;

  observe({ type, payload, run, version, at }: FactOf<ApprovingEvent>): void {
    const isNew = type === 'verification.completed' && payload.passed;
    if (isNew) this.#verified = version;
    if (isNew || (type === 'run.steered' && this.#asked.at(-1)?.isOpen)) {
      const steered = type === 'run.steered' ? version : null;
      const question = {
        run,
        callId: CALL,
        kind: 'approval',
        text: 'May the work be used?',
        choices: [],
        path: null,
        approval: {
          allows: `the loop uses the work of event ${version}`,
          digest: digestOf(this.#verified, steered),
        },
        askedAt: at,
        event: `${run}/${version}`,
        isOpen: true,
        answer: null,
      } as const;
      this.#close(null);
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

interface Guarded {
  readonly context: Life;
  readonly event: Recorded<ApprovingEvent>;
}

/** Takes an approval only while what it was given for is what is asked about. */
const isAskedAbout = ({ context, event }: Guarded): boolean => {
  const { digest } = Object(event.payload) as { readonly digest?: unknown };
  return digest === digestOf(context.verification?.version, context.steered);
};

/** The example, whose reviewer is a person, who approves. */
function machine(): typeof reviewed.machine {
  const { context, ...chart } = reviewed.machine.config;
  const owing = '{"type":"awaitResult","params":{"actor":"review"}}';
  const given = '"review.given":{"target":"#approving.decide",';
  const text = JSON.stringify({ ...chart, id: 'approving' })
    .replaceAll('#reviewed.', '#approving.')
    .replace(owing, owing.replace('awaitResult', 'ask'))
    .replace(given, `${given}"guard":"isAskedAbout",`);
  const { actions, guards, ...others } = reviewed.machine.implementations;
  const { ask: markAsked } = lifeFor<ApprovingEvent>();
  const ask = assign((on: never, params: { actor: string }) => markAsked(on, params));
  const implementations = { ...others, guards: { ...guards, isAskedAbout }, actions: { ...actions, ask } };
  return createMachine(
    { ...JSON.parse(text), context } as never,
    implementations as never,
  ) as unknown as typeof reviewed.machine;
}

const { handlers: _, module: _module, id: _id, effects, describe, ...rest } = reviewed;

/** A loop of one's own that needs a person's approval, bound to what exactly it allows. */
export const approvingLoop = defineLoop({
  ...rest,
  machine: machine(),
  events: ApprovingEvent,
  effects: {
    ...effects,
    askReviewer: {
      class: 'repeatable',
      asksPerson: true,
      answers: { 'review.given': 'review', 'review.failed': 'review', 'review.interrupted': 'review' },
      interrupted: (_one, { reason }) => ({ type: 'review.interrupted', payload: { reason } }),
    },
  },
  commands: { 'review.given': () => 'no approval of this is asked for' },
  answered: (_call, { answer, approval }) => ({
    type: 'review.given',
    payload: { approved: approval?.granted === true, remark: answer, digest: approval?.digest ?? '' },
  }),
  describe: { ...describe, questions: () => new Approvals() },
});
