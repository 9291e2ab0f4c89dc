import { type AnsweredQuestion, callName, type Question } from '../../projections/questions.ts';
import { oneLine } from '../../projections/phrases.ts';
import { refused, type RefusedCommand } from './people-result.ts';

const MAX_ANSWER_CHARS = 200;

/** The kinds that are granted or refused. */
const GRANTED: readonly Question['kind'][] = ['access', 'approval'];

/** The open question that an answer is for: a text fits only a question, a permission only a request for one. */
export function chosen(
  open: readonly Question[],
  call: string | undefined,
  how: 'answer' | 'grant',
): Question | RefusedCommand {
  const fitting = open.filter(({ kind }) => GRANTED.includes(kind) === (how === 'grant'));
  const unnamed = fitting.length > 0 ? fitting : open;
  const [first, ...others] = call === undefined ? unnamed : open.filter((one) => isNamed(one, call));
  if (first && others.length === 0) return first;
  if (first) {
    const names = [first, ...others].map((one) => callName(one, open)).join(', ');
    return refused(
      'several_asked',
      `${others.length + 1} calls wait for such an answer: say which one is meant, of ${names}`,
      open,
    );
  }
  if (open.length === 0) return refused('nothing_asked', 'it is not waiting for a person', open);
  return refused(
    'unknown_call',
    `no call ${call} is waiting for a person; waiting: ${open.map((one) => callName(one, open)).join(', ')}`,
    open,
  );
}

/** By its id alone, or together with the run that asks, or the end of that run's id. */
export function isNamed({ run, callId }: Question, name: string): boolean {
  const cut = name.lastIndexOf('/');
  return name.slice(cut + 1) === callId && run.endsWith(name.slice(0, Math.max(0, cut)));
}

/** The refusal of a second answer: it names the first, and its time. */
export const answeredBefore = (first: AnsweredQuestion, open: readonly Question[]): RefusedCommand => ({
  ...refused('answered_before', `${firstAnswer(first)}; the first answer counts`, open),
  first,
});

/** `call 0.1, asked at 2026-11-23T03:12:00.000Z, was withdrawn without an answer`. */
export const withdrawnText = ({ callId, askedAt }: Question): string =>
  `call ${callId}, asked at ${askedAt}, was withdrawn without an answer`;

/** `call 0.1 was answered at 2026-11-23T03:12:00.000Z: granted: /etc`. */
export const firstAnswer = ({ callId, answer, answeredAt }: AnsweredQuestion): string =>
  `call ${callId} was answered at ${answeredAt}: ${oneLine(answer, MAX_ANSWER_CHARS)}`;
