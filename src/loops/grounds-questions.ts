import type { Dispute, RecordedProof } from '../../machines/recorded-proof.ts';
import { amount } from '../text/money.ts';
import { head } from '../text/excerpt.ts';
import { renamesIn } from '../evidence/test-moves.ts';
import { pathText } from '../text/path-text.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import type { AskedQuestion, Questions } from '../kernel/loop-description.ts';
import type { GivenAnswer } from '../kernel/loop-definition.ts';
import { JoinedQuestions } from './join-questions.ts';
import type { WrittenLoop } from './attempt-loop.ts';

// What a person's answer to a request for approval leaves, whichever loop has asked.

/** Their ruling in words, with their reason where they gave one. */
export const rulingText = (isGranted: boolean, reason: string | null): string =>
  `${isGranted ? 'approved' : 'denied'}${reason === null ? '' : `: ${reason}`}`;

/** The same questions, none of which is open any more. `answer`: null where no person has answered. */
export const closed = (asked: readonly AskedQuestion[], answer: string | null): AskedQuestion[] =>
  asked.map((one) => (one.isOpen ? { ...one, isOpen: false, answer } : one));

// Every loop whose chart has `verify.disputed` asks this: whether changes of what checks rest on count.

/** Under this name a person lets them count: `approve RUN grounds`. */
export const GROUNDS = 'grounds';

const MAX_NAMES = 10;
const MAX_NAME_CHARACTERS = 120;
const MAX_DIFF_CHARACTERS = 4_000;

const NOT_ASKED = 'no changed tests or configuration wait for a person';

/** What a person may send about them, and why it was not taken. */
export const groundsCommands = { 'grounds.approved': () => NOT_ASKED, 'grounds.denied': () => NOT_ASKED };

/** A person's ruling, as an event. Null: the answer is to another question. */
export function groundsRuling(callId: string, { approval }: GivenAnswer) {
  if (callId !== GROUNDS || !approval) return null;
  const { granted, digest, reason = null, by } = approval;
  if (!granted) return { type: 'grounds.denied' as const, payload: { digest, reason } };
  return { type: 'grounds.approved' as const, payload: { digest, reason, ...(by ? { by } : {}) } };
}

/** What a loop of one's own has to say about this question, beside what it asks itself. */
export const groundsAnswers = ({ commands, answered, describe }: OwnAnswers) => ({
  commands: { ...groundsCommands, ...commands },
  answered: (callId: string, given: GivenAnswer) => groundsRuling(callId, given) ?? answeredBy(callId, given, answered),
  questions: (earlier?: Questions) =>
    new JoinedQuestions([...(describe?.questions ? [describe.questions(earlier)] : []), new GroundsQuestions()]),
});

type OwnAnswers = Pick<WrittenLoop, 'commands' | 'answered' | 'describe'>;

function answeredBy(callId: string, given: GivenAnswer, answered: OwnAnswers['answered']) {
  if (answered) return answered(callId, given);
  throw new TypeError(`no question has the id ${callId}`);
}

/** The questions of a run about changed grounds. There is at most one at a time. */
export class GroundsQuestions implements Questions {
  #asked: readonly AskedQuestion[] = [];
  /** In a round a person is asked once. */
  #isRuled = false;

  observe(fact: Fact): void {
    switch (fact.type) {
      case 'verification.completed': {
        const { proof } = fact.payload;
        this.#close(null);
        if (!this.#isRuled && proof?.dispute?.is === 'asked') this.#ask(fact, proof, proof.dispute);
        break;
      }
      case 'grounds.approved':
      case 'grounds.denied': {
        this.#isRuled = true;
        this.#close(rulingText(fact.type === 'grounds.approved', fact.payload.reason));
        break;
      }
      case 'decision.made':
        this.#isRuled = false;
        this.#close(null);
        break;
      case 'abort.requested':
        this.#close(null);
        break;
      case 'timer.fired':
        if (fact.payload.timer === 'deadline') this.#close(null);
        break;
    }
  }

  asked(): readonly AskedQuestion[] {
    return this.#asked;
  }

  #ask({ run, version, at }: Fact, proof: RecordedProof, dispute: Dispute): void {
    const { digest, diff, testsCount } = dispute;
    const paths = named(
      proof.grounds.map(({ path }) => pathText(path, MAX_NAME_CHARACTERS)),
      proof.groundsChanged,
    );
    const which =
      testsCount === 0 ? 'checks fail' : `${amount(testsCount, 'test')} of the start fail: ${failingText(dispute)}`;
    const shown = diff.length > MAX_DIFF_CHARACTERS ? `${head(diff, MAX_DIFF_CHARACTERS)}\n…` : diff;
    this.#asked = [
      ...this.#asked,
      {
        run,
        callId: GROUNDS,
        kind: 'approval',
        text:
          `The work passes its checks only with its own changes of ${paths}. Without them, ${which}. ` +
          `The whole change: loopfold diff ${run}\n${shown}`,
        choices: [],
        path: null,
        approval: { allows: `these changes of ${paths} count`, digest },
        askedAt: at,
        event: `${run}/${version}`,
        isOpen: true,
        answer: null,
      },
    ];
  }

  #close(answer: string | null): void {
    this.#asked = closed(this.#asked, answer);
  }
}

/** The tests of a file that moved are shown as that. */
function failingText({ diff, tests, testsCount }: Dispute): string {
  const moved = renamesIn(diff);
  const stayed = tests.filter(({ file }) => file === null || !moved.has(file));
  const path = (text: string) => pathText(text, MAX_NAME_CHARACTERS);
  const moves = [...moved].flatMap(([from, to]) => {
    const count = tests.filter(({ file }) => file === from).length;
    return count === 0 ? [] : [`${amount(count, 'test')} of ${path(from)}, which moved to ${path(to)}`];
  });
  const more = testsCount - tests.length + stayed.length;
  const names = stayed.map(({ name }) => head(name, MAX_NAME_CHARACTERS));
  return [...moves.slice(0, MAX_NAMES), ...(more > 0 ? [named(names, more)] : [])].join('; ');
}

function named(names: readonly string[], count: number): string {
  const shown = names.slice(0, MAX_NAMES);
  const more = count - shown.length;
  return more > 0 ? `${shown.join(', ')} and ${more} more` : shown.join(', ');
}
