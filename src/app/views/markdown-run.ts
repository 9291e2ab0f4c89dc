import { amount, grouped, formatMoney } from '../../text/money.ts';
import { head } from '../../text/excerpt.ts';
import { codeBlock, codeSpan } from '../../text/markdown-text.ts';
import { inSeconds } from '../../text/time-span.ts';
import type { ChangeView } from './change-view.ts';
import type { CheckView, RoundView, RunView } from './run-parts-view.ts';

const MAX_TASK_CHARS = 4_000;
const MAX_NAME_CHARS = 200;
const MAX_LISTED = 50;
const MAX_PATCH_CHARS = 20_000;

/**
 * A run as Markdown for a pull request: asked, changed, proven, cost. Everything that a model, a command or a person
 * has written stands in it as code, so that nothing of it is mark-up, mentions a name or closes an issue.
 */
export function markdownRun(view: RunView, change: ChangeView | null): string {
  return [
    `# ${view.ending ? `Run ended: ${view.ending.words}` : `Run ${view.standing.words}`}`,
    ...section('Asked', askedLines(view)),
    ...section('Changed', changedLines(view, change)),
    ...section('Asks', asksLines(view)),
    ...section('Proven', provenLines(view)),
    ...section('Rounds', view.rounds.length > 1 ? roundRows(view.rounds) : []),
    ...section('Compared', view.table ? tableRows(view.table) : []),
    ...section('Next', nextLines(view)),
    ...section('Cost', costLines(view)),
  ]
    .join('\n\n')
    .concat('\n');
}

const section = (title: string, lines: readonly string[]): readonly string[] =>
  lines.length === 0 ? [] : [`## ${title}`, lines.join('\n')];

const askedLines = ({ task }: RunView): readonly string[] => [codeBlock(head(task, MAX_TASK_CHARS))];

/** The questions to people that are open. */
const asksLines = ({ ending, questions }: RunView): readonly string[] =>
  (ending ? [] : questions).map(({ text, allows }) => {
    const allowed = allows === null ? '' : `; it would allow ${codeSpan(allows, MAX_TASK_CHARS)}`;
    return `- ${codeSpan(text, MAX_TASK_CHARS)}${allowed}`;
  });

/** A change that is proven is for its reader to take: all others are told what a person can do. */
const nextLines = ({ ending, next }: RunView): readonly string[] =>
  ending?.kind === 'success' ? [] : next.map(({ words }) => `- ${words}`);

function changedLines({ files: captured }: RunView, change: ChangeView | null): readonly string[] {
  const files = change?.files ?? captured;
  if (files.length === 0) return ['No file.'];
  const named = files.slice(0, MAX_LISTED).map(({ path, added, removed }) => {
    const lines = added === null ? 'binary' : `+${grouped(added)} −${grouped(removed ?? 0)}`;
    return `- ${codeSpan(path, MAX_NAME_CHARS)} ${lines}`;
  });
  const more = files.length - named.length;
  return [
    ...named,
    ...(more > 0 ? [`- and ${more} more`] : []),
    ...(change?.deciding ?? []).map((path) => `- later runs go by ${codeSpan(path, MAX_NAME_CHARS)}`),
    ...(change && change.patch !== '' ? ['', ...patchLines(change)] : []),
  ];
}

function patchLines({ patch, isCut }: ChangeView): readonly string[] {
  const shown = head(patch, MAX_PATCH_CHARS);
  const isShort = isCut || shown.length < patch.length;
  return [
    `<details><summary>The change${isShort ? ', its beginning' : ''}</summary>`,
    '',
    codeBlock(shown, 'diff'),
    '',
    '</details>',
  ];
}

function provenLines({ ending, checks, evidence, unseen }: RunView): readonly string[] {
  const reason = ending ? [`- why it ended: ${codeSpan(ending.reason, MAX_TASK_CHARS)}`] : [];
  return [
    ...reason,
    ...(checks.length === 0 ? ['- nothing was checked'] : checks.map(checkLine)),
    ...evidence.map((line) => `- ${codeSpan(line, MAX_TASK_CHARS)}`),
    ...unseen.map((why) => `- not seen, or not shown: ${why}`),
  ];
}

function checkLine({ level, name, passed, tests, failing }: CheckView): string {
  const counts = tests ? `, ${amount(tests.passed, 'test')} passed, ${grouped(tests.failed)} failed` : '';
  const first = failing[0] ? `: ${codeSpan(failing[0].name, MAX_NAME_CHARS)}` : '';
  return `- ${passed ? '✓' : '✗'} ${level} ${codeSpan(name, MAX_NAME_CHARS)}${counts}${first}`;
}

const roundRows = (rounds: readonly RoundView[]): readonly string[] => [
  '| round | files | checks | decision |',
  '| ---: | --- | --- | --- |',
  ...rounds.map(({ number, changed, checks, decision }) => {
    const passed = checks.filter((check) => check.passed).length;
    const because = decision ? inTable(codeSpan(decision.reason, MAX_NAME_CHARS)) : '';
    return `| ${number} | ${changed.length} | ${passed} of ${checks.length} | ${because} |`;
  }),
];

const tableRows = ({ columns, rows }: NonNullable<RunView['table']>): readonly string[] => [
  `| ${columns.join(' | ')} |`,
  `| ${columns.map(() => '---').join(' | ')} |`,
  ...rows.map((cells) => `| ${cells.map((cell) => inTable(codeSpan(cell, MAX_NAME_CHARS))).join(' | ')} |`),
];

/** A bar ends a cell, in code too. */
const inTable = (text: string): string => text.replaceAll('|', String.raw`\|`);

function costLines(view: RunView): readonly string[] {
  const { tokens, costNanoUsd, toolCalls, models, startedAt, at, idleMs, run } = view;
  const seconds = Math.round(Math.max(0, Date.parse(at) - Date.parse(startedAt) - idleMs) / 1_000);
  return [
    `- ${costNanoUsd === null ? 'no price is known' : formatMoney(costNanoUsd)}`,
    `- ${amount(tokens, 'token')}, ${amount(toolCalls, 'tool call')}, ${inSeconds(seconds)} at work`,
    ...models.map(({ model, requests }) => `- ${codeSpan(model, MAX_NAME_CHARS)}: ${amount(requests, 'request')}`),
    `- run ${codeSpan(run, MAX_NAME_CHARS)}`,
  ];
}
