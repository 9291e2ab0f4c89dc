import type { EventOf } from '../../../machines/events.ts';
import { type Fault, NO_ANSWER } from '../../../machines/outcome.ts';
import { MAX_IDLE_ANSWERS } from '../../../machines/turn.machine.ts';
import { head } from '../../text/excerpt.ts';

type Answer = Pick<EventOf<'model.completed'>['payload'], 'text' | 'calls' | 'cut'>;

/** How many answers in a row may be cut off before the turn ends: each is continued, and the last of them is not. */
export const MAX_CUT_ANSWERS = 4;
/** How many answers in a row may be refused or held back: the request is repeated once. */
export const MAX_REFUSED_ANSWERS = 2;
/** Answers that begin with the same so many characters say the same: the model has begun anew. */
const SAME_BEGINNING_CHARACTERS = 200;
const MAX_QUOTE_CHARACTERS = 200;

/** The unfinished answers in a row: cut off, refused, held back, or idle, and no call to go on from. Plain data. */
export interface Unanswered {
  readonly cut: NonNullable<Answer['cut']>;
  readonly text: string;
  readonly answers: number;
  /** How many of them were refused or held back. */
  readonly refused: number;
  /** How many of them did nothing. */
  readonly idle: number;
  /** The newest says what the one before it has said. */
  readonly isRepeated: boolean;
}

/** Counts an unfinished answer. Returns null if the answer is complete or has whole calls, so the turn can continue. */
export function countUnanswered(before: Unanswered | null, { text: words, calls, cut }: Answer): Unanswered | null {
  // What was cut off in the middle of a call is no JSON, and stays a text.
  const broken = calls.filter(({ arguments: given }) => typeof given === 'string');
  if (cut === undefined) return null;
  if (!isIdle(cut) && (calls.length > broken.length || (broken.length > 0 && cut !== 'length'))) return null;
  const text = [words, ...broken.map(({ tool, arguments: given }) => `${tool} ${String(given)}`)].join('\n').trim();
  return {
    cut,
    text,
    answers: (before?.answers ?? 0) + 1,
    refused: (before?.refused ?? 0) + (isRefusal(cut) ? 1 : 0),
    idle: (before?.idle ?? 0) + (isIdle(cut) ? 1 : 0),
    isRepeated: before !== null && !isRefusal(cut) && !isIdle(cut) && beginning(before.text) === beginning(text),
  };
}

/** Why the model is not asked again. Null: it is. */
export function unansweredFault(unanswered: Unanswered): Fault | null {
  const { cut, text, answers, refused, idle, isRepeated } = unanswered;
  if (!isLast(unanswered)) return null;
  switch (cut) {
    case 'length': {
      const again = isRepeated ? ', the last time after the same words' : '';
      const cuts = `The answer was cut off at its greatest length ${times(answers)}${again}.`;
      return {
        code: NO_ANSWER.cut,
        message: `${cuts} Allow longer answers, divide the task, or choose another model.`,
      };
    }
    case 'context':
      return { code: NO_ANSWER.full, message: `${IN_AN_ANSWER} ${SMALLER}` };
    case 'refusal':
      return {
        code: NO_ANSWER.refused,
        message: `The model refused to answer ${times(refused)}${quoted(text)}. ${ELSE}`,
      };
    case 'filter': {
      const held = `The content filter of the provider held the answer back ${times(refused)}.`;
      return { code: NO_ANSWER.filtered, message: `${held} ${ELSE}` };
    }
    case 'empty': {
      const nothing = `The model answered ${times(idle)} with neither text nor a call.`;
      return { code: NO_ANSWER.empty, message: `${nothing} ${ELSE}` };
    }
    case 'promised': {
      const none = `The model announced a call, or wrote it as text, and made none: ${times(idle)}.`;
      return { code: NO_ANSWER.promised, message: `${none} Choose a model, or a server, that supports tool calls.` };
    }
  }
}

function isLast({ cut, answers, refused, idle, isRepeated }: Unanswered): boolean {
  const isFullAgain = cut === 'context' && answers >= MAX_REFUSED_ANSWERS;
  const isTooMany = answers >= MAX_CUT_ANSWERS || refused >= MAX_REFUSED_ANSWERS || idle >= MAX_IDLE_ANSWERS;
  return isTooMany || isRepeated || isFullAgain;
}

const IN_AN_ANSWER = 'The conversation filled the window of the model in the middle of two answers in a row.';
const SMALLER = 'Divide the task, or choose a model with a larger window.';

/** Summarised twice, and the provider still refuses: the task itself, its tools or its instructions are too long. */
export const STILL_FULL: Fault = {
  code: NO_ANSWER.full,
  message: `The conversation did not fit the window of the model, though it was summarised twice. ${SMALLER}`,
};
const ELSE = 'Put the task in other words, or choose another model.';

function quoted(text: string): string {
  const said = text.trim().replaceAll(/\s+/g, ' ');
  return said === '' ? '' : `: "${head(said, MAX_QUOTE_CHARACTERS)}"`;
}

const THROUGH_TOOLS =
  'Calls go through the tool interface, not through text: call the tool there, or say in text what came of the task.';

/** The line for the model that is asked again. `isTextOnly`: it is offered no tools. */
export function unansweredFeedback({ cut }: Unanswered, isTextOnly: boolean): string {
  if (isIdle(cut) && isTextOnly)
    return 'Your last answer had no text that counts. There are no tools here: answer in text.';
  if (cut === 'empty')
    return 'Your last answer had neither text nor a tool call. Go on with the task, or say in text what came of it.';
  if (cut === 'promised') return `Your last answer made no tool call. ${THROUGH_TOOLS}`;
  if (cut === 'refusal')
    return 'You have refused to answer. If the task can be done in another way, do that; else say what stops you.';
  if (cut === 'filter')
    return 'The content filter of the provider held your last answer back. Use other words, and quote little.';
  return 'Your last answer was ended before you had finished it. Go on from where it stops.';
}

/** Tells whether an answer did nothing: it was empty, or announced a call and made none. */
export const isIdle = (cut: Answer['cut']): boolean => cut === 'empty' || cut === 'promised';

const isRefusal = (cut: Unanswered['cut']): boolean => cut === 'refusal' || cut === 'filter';

const beginning = (text: string): string => text.trim().replaceAll(/\s+/g, ' ').slice(0, SAME_BEGINNING_CHARACTERS);

const TIMES = ['never', 'once', 'twice in a row'] as const;
const times = (count: number): string => TIMES[count] ?? `${count} times in a row`;
