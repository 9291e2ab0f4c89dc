import type { Question } from '../../projections/questions.ts';
import { oneLine, plain } from '../../projections/phrases.ts';
import { accessText } from '../../kernel/access-through-walls.ts';
import { head } from '../../text/excerpt.ts';
import { type Dispute, MAX_DISPUTED_CHARACTERS } from '../../../machines/recorded-proof.ts';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/** How long to read what the terminal has buffered. */
const FORGET_MS = 30;
const CTRL_C = '\u0003';

/**
 * Discards what was typed before the question, an unfinished line included: only a raw terminal hands that out.
 */
export async function forgetTyped(input: NodeJS.ReadStream): Promise<void> {
  const hear = (typed: Buffer | string) => {
    if (typed.includes(CTRL_C)) process.kill(process.pid, 'SIGINT');
  };
  // A terminal that was hung up: the next read reports it.
  const ignore = () => {};
  input.on('error', ignore).on('data', hear);
  input.setRawMode(true).resume();
  await delay(FORGET_MS);
  input.setRawMode(false).pause();
  input.off('data', hear).off('error', ignore);
}

/** A line, or why there is none. `closed`: the input has ended. `withdrawn`: the question is no longer open. */
export type Reply = { readonly kind: 'line'; readonly text: string } | { readonly kind: 'closed' | 'withdrawn' };

/** The next line that the user types. The terminal keeps its mode: it echoes, edits, and sends Ctrl-C as a signal. */
export async function readLine(input: NodeJS.ReadStream, signal: AbortSignal): Promise<Reply> {
  if (signal.aborted) return { kind: 'withdrawn' };
  if (input.destroyed) return { kind: 'closed' };
  const { promise, resolve } = Promise.withResolvers<Reply>();
  const lines = createInterface({ input, terminal: false });
  const withdraw = () => resolve({ kind: 'withdrawn' });
  const close = () => resolve({ kind: 'closed' });
  lines.once('line', (text) => resolve({ kind: 'line', text }));
  lines.once('close', close);
  // A terminal that was hung up.
  input.once('error', close);
  signal.addEventListener('abort', withdraw, { once: true });
  try {
    return await promise;
  } finally {
    signal.removeEventListener('abort', withdraw);
    input.off('error', close);
    lines.close();
    input.pause();
  }
}

const SHOWN_DIGEST_CHARACTERS = 16;

/**
 * A question about changed grounds with all of the difference that was recorded, and its digest. No line of the
 * difference can look like one of ours.
 */
export function disputeLines(question: Question, { diff, digest }: Dispute): readonly string[] {
  const [first = ''] = question.text.split('\n', 1);
  const [asked = '', ...below] = questionLines({ ...question, text: first });
  // The recorder cuts there: the whole is in the captures of the run.
  const isCut = diff.length >= MAX_DISPUTED_CHARACTERS;
  return [
    asked,
    ...plain(diff)
      .trimEnd()
      .split('\n')
      .map((line) => `  │ ${line}`.trimEnd()),
    ...(isCut ? ['  … and more'] : []),
    `  difference  ${digest.slice(0, SHOWN_DIGEST_CHARACTERS)}`,
    ...below,
  ];
}

const MAX_TEXT_CHARS = 2_000;
/** A question about changed tests has an excerpt of their diff. */
const MAX_APPROVAL_CHARS = 6_000;
export const MAX_CHOICE_CHARS = 200;

/**
 * A question in one line, and what an approval is about line by line, such as a diff: no line of it can look like one
 * of ours. Below it what an approval allows, or the choices, numbered from 1.
 */
export function questionLines({
  kind,
  text,
  path,
  choices,
  approval,
  opens,
  remembers = [],
}: Question): readonly string[] {
  const [first = '', ...more] = kind === 'approval' ? plain(head(text, MAX_APPROVAL_CHARS)).split('\n') : [text];
  const asked = oneLine(first, MAX_TEXT_CHARS);
  const place = oneLine(path ?? '', MAX_TEXT_CHARS);
  const question =
    kind === 'access'
      ? `permission for ${accessText({ path: place, opens })}${asked === '' ? '' : `: ${asked}`}`
      : asked;
  return [
    `? ${question}`,
    ...more.map((line) => `  │ ${line}`.trimEnd()),
    ...(kind === 'access' && !approval ? ['  nothing is there, or it is out of reach: it can only be denied'] : []),
    ...(approval ? [`  allows  ${oneLine(approval.allows, MAX_TEXT_CHARS)}`] : []),
    ...(remembers.length > 0 ? [`  for good  ${oneLine(remembers.join('; '), MAX_TEXT_CHARS)}`] : []),
    ...choices.map((choice, index) => `  ${index + 1}  ${oneLine(choice, MAX_CHOICE_CHARS)}`),
  ];
}

/** The answer that a typed line stands for: the number of a choice is that choice. */
export function chosen({ choices }: Pick<Question, 'choices'>, line: string): string {
  const typed = line.trim();
  return (/^\d+$/.test(typed) && choices[Number(typed) - 1]) || typed;
}

export const isYes = (line: string): boolean => /^y(es)?$/i.test(line.trim());

/** The reason in a line that is no yes. Null: it is empty, or a bare no. */
export function denialIn(line: string): string | null {
  const said = line.trim();
  return said === '' || /^no?$/i.test(said) ? null : said;
}
