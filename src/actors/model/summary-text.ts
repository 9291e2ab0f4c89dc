import { CHARACTERS_PER_TOKEN } from '../../budget/message-length.ts';
import { head } from '../../text/excerpt.ts';
import type { Message } from './model.ts';

const MAX_LINE_CHARACTERS = 200;

/** The part of the window that a summary may take. */
const SUMMARY_PART = 1 / 8;
/** Of that, what the text of a model may take that was cut off: the rest is for what it lacks. */
const CUT_PART = 2 / 3;

/** The characters that a summary may have. `window`: the size of the model's, in tokens. */
export const summaryRoom = (window: number): number => Math.floor(window * SUMMARY_PART) * CHARACTERS_PER_TOKEN;

/** The summary as the model reads it in place of the conversation. `window`: its size in tokens. */
export function summaryText(summary: string, steering: readonly string[], window: number): string {
  const added =
    steering.length === 0 ? [] : ['', 'Added to the task by a person:', ...steering.map((text) => `- ${text}`)];
  return [
    'The conversation until here grew too long for your window. This summary stands for it; the files are as you left them.',
    '',
    head(summary, summaryRoom(window)),
    ...added,
    '',
    'Go on from there.',
  ].join('\n');
}

/**
 * A summary that stops early: it lacks its end, which is what was done last. The newest calls and words stand for that.
 */
export function cutSummary(summary: string, messages: readonly Message[], window: number): string {
  const text = head(summary, Math.floor(summaryRoom(window) * CUT_PART));
  return [text, '[This summary was cut off here.]', '', NEWEST_FIRST, ...linesOf(messages)].join('\n');
}

const NEWEST_FIRST = 'What was done, newest first:';

/** What was done, where no model has summed it up: the newest calls and words, one line each, newest first. */
export const withoutModel = (messages: readonly Message[]): string =>
  ['What was done, newest first (no model has summed it up):', ...linesOf(messages)].join('\n');

function linesOf(messages: readonly Message[]): readonly string[] {
  const lines = messages.flatMap((message) => {
    if (message.role === 'tool') return [`  result of ${message.tool}: ${line(message.output)}`];
    if (message.role === 'user') return [`told: ${line(message.text)}`];
    const said = message.text.trim() === '' ? [] : [`said: ${line(message.text)}`];
    return [
      ...said,
      ...message.calls.map(({ tool, arguments: given }) => `called ${tool} ${line(JSON.stringify(given))}`),
    ];
  });
  return lines.toReversed();
}

const line = (text: string): string => head(text.trim().replaceAll(/\s+/g, ' '), MAX_LINE_CHARACTERS);
