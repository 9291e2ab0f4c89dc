import type { EventOf } from '../../../machines/events.ts';
import type { Discovery, Witness } from '../../../machines/improvement-facts.ts';
import { amount } from '../../text/money.ts';
import { head as startOf } from '../../text/excerpt.ts';

const MAX_SUBJECT_CHARS = 72;
const MAX_NAMED_FILES = 50;

/** An improvement that passed its evaluation, and where it is kept. */
export interface Improvement {
  readonly run: string;
  readonly iteration: number;
  readonly discovery: Discovery;
  readonly evaluation: Pick<EventOf<'evaluation.completed'>['payload'], 'reason' | 'grade' | 'because'>;
  readonly built: Pick<EventOf<'candidate.built'>['payload'], 'changed' | 'modification'> | null;
  /** Absent: the run began before candidates named one. */
  readonly witness?: Witness | undefined;
}

const MAX_TRAILER_CHARS = 300;

/** The message of its commit: what was found, and by what it is proven. The same again for the same facts. */
export function commitMessage({ run, iteration, discovery, evaluation, built, witness }: Improvement): string {
  const { id, title, summary, source, check } = discovery;
  const found = `${source}${check === undefined ? '' : ` (${check})`}`;
  return lines([
    startOf(oneLine(title), MAX_SUBJECT_CHARS),
    '',
    summary.trim(),
    '',
    ...(evaluation.because === undefined ? [] : [`${sentence(oneLine(evaluation.because))}.`, '']),
    ...(built ? [`Change ${built.modification}, found by ${found} in iteration ${iteration + 1}.`, ''] : []),
    `Loopfold-Run: ${run}`,
    `Loopfold-Finding: ${id}`,
    `Loopfold-Witness: ${witnessText(witness)}`,
    `Loopfold-Grade: ${evaluation.grade ?? 'unknown'}`,
  ]);
}

const witnessText = (witness: Witness | undefined): string =>
  witness ? startOf(`${witness.kind}: ${oneLine(witness.text)}`, MAX_TRAILER_CHARS) : 'none';

const sentence = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

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
    `${evaluation.grade ?? 'passed'}: ${oneLine(evaluation.because ?? evaluation.reason)}. All of it: \`loopfold show ${run}\``,
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
