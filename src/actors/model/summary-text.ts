import { CHARACTERS_PER_TOKEN } from '../../budget/estimated-tokens.ts';
import { head } from '../../text/excerpt.ts';
import type { Message } from './model.ts';

const MAX_LINE_CHARACTERS = 200;

/** The part of the window that a summary may take. */
const SUMMARY_PART = 1 / 8;

/** The summary as the model reads it in place of the conversation. `window`: its size in tokens. */
export function summaryText(summary: string, steering: readonly string[], window: number): string {
  const added =
    steering.length === 0 ? [] : ['', 'Added to the task by a person:', ...steering.map((text) => `- ${text}`)];
  return [
    'The conversation until here grew too long for your window. This summary stands for it; the files are as you left them.',
    '',
    head(summary, Math.floor(window * SUMMARY_PART) * CHARACTERS_PER_TOKEN),
    ...added,
    '',
    'Go on from there.',
  ].join('\n');
}

/** What was done, where no model has summed it up: the newest calls and words, one line each, newest first. */
export function withoutModel(messages: readonly Message[]): string {
  const lines = messages.slice(1).flatMap((message) => {
    if (message.role === 'tool') return [`  result of ${message.tool}: ${line(message.output)}`];
    if (message.role === 'user') return [`told: ${line(message.text)}`];
    const said = message.text.trim() === '' ? [] : [`said: ${line(message.text)}`];
    return [
      ...said,
      ...message.calls.map(({ tool, arguments: given }) => `called ${tool} ${line(JSON.stringify(given))}`),
    ];
  });
  return ['What was done, newest first (no model has summed it up):', ...lines.toReversed()].join('\n');
}

const line = (text: string): string => head(text.trim().replaceAll(/\s+/g, ' '), MAX_LINE_CHARACTERS);
