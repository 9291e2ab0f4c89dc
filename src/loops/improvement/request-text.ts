import type { EventOf } from '../../../machines/events.ts';
import type { Discovery } from '../../../machines/improvement-facts.ts';
import { amount } from '../../text/amount.ts';
import { head as startOf } from '../../text/excerpt.ts';

const MAX_SUBJECT_CHARS = 72;
const MAX_NAMED_FILES = 50;

/** An improvement that passed its evaluation, and where it is kept. */
export interface Improvement {
  readonly run: string;
  readonly iteration: number;
  readonly discovery: Discovery;
  readonly evaluation: Pick<EventOf<'evaluation.completed'>['payload'], 'reason'>;
  readonly built: Pick<EventOf<'candidate.built'>['payload'], 'changed' | 'modification'> | null;
}

/** The message of its commit: what was found, and by what it is proven. The same again for the same facts. */
export function commitMessage({ run, iteration, discovery, evaluation, built }: Improvement): string {
  const { id, title, summary, source, check } = discovery;
  return lines([
    startOf(oneLine(title), MAX_SUBJECT_CHARS),
    '',
    summary.trim(),
    '',
    `Evaluation: ${oneLine(evaluation.reason)}`,
    `Found by: ${source}${check === undefined ? '' : ` (${check})`}`,
    `Run: ${run}`,
    `Iteration: ${iteration + 1}`,
    `Candidate: ${id}`,
    ...(built ? [`Change: ${built.modification}`] : []),
  ]);
}

/** The text of a pull request, as Markdown. The first line is its title. */
export function requestText(
  improvement: Improvement,
  to: { readonly branch: string; readonly commit: string },
): string {
  const { run, discovery, evaluation, built } = improvement;
  const changed = built?.changed ?? [];
  const more = changed.length > MAX_NAMED_FILES ? [`- and ${changed.length - MAX_NAMED_FILES} more`] : [];
  return lines([
    oneLine(discovery.title),
    '',
    '## What was found',
    '',
    discovery.summary.trim(),
    '',
    '## What changes',
    '',
    `${amount(changed.length, 'file')}:`,
    '',
    ...changed.slice(0, MAX_NAMED_FILES).map(({ path, added, removed }) => `- \`${path}\`${countsOf(added, removed)}`),
    ...more,
    '',
    '## Evidence',
    '',
    `${oneLine(evaluation.reason)}. All of it: \`loopfold show ${run}\``,
    '',
    '## How to try it',
    '',
    '```sh',
    `git fetch && git switch ${to.branch}`,
    '```',
    '',
    `Commit ${to.commit}`,
  ]);
}

const countsOf = (added: number | null, removed: number | null): string =>
  added === null || removed === null ? ' (binary)' : ` (+${added} −${removed})`;

const oneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Git takes no byte 0 in a message, and half a character would not be read back as it was written. */
const lines = (all: readonly string[]): string => `${all.join('\n').replaceAll('\0', '').toWellFormed()}\n`;
