import type { Outcome } from '../../../machines/outcome.ts';
import type { Account } from '../../projections/run-account.ts';
import type { TimelineEntry } from '../../projections/timeline.ts';
import type { Unreadable } from '../../log/read-event.ts';
import { unreadableRemedy, unreadableText } from '../../log/unreadable.ts';
import type { RunEnding, RunSummary } from '../../projections/run-summary.ts';
import {
  acceptedText,
  amount,
  endingName,
  filesCommand,
  findingText,
  isDone,
  oneLine,
  processOf,
  span,
  spent,
} from '../../projections/phrases.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import { earlierLines, isolationLines, permissionLines, sandboxLines, threadLines } from './boundary-lines.ts';
import { wordsOf } from './loop-text.ts';
import type { Colours } from '../terminal/output.ts';
import {
  checkLines,
  fileLines,
  handedOverLines,
  modelLines,
  ofNewest,
  phaseLines,
  roundLines,
  tableLines,
} from './page-sections.ts';
import { reportLines, type ReportStatus } from './report-lines.ts';
import type { Standing } from '../../app/views/run-status.ts';
import { columns } from './table.ts';

/** What is known of a run even if its start cannot be read. */
export interface PageWithoutStart {
  readonly run: string;
  readonly standing: Standing;
  /** The effect of another run that this one performs. */
  readonly parentEffect: string | null;
  readonly continues: { readonly run: string; readonly version: number } | null;
  readonly continuedAs: readonly string[];
  readonly hash: string;
  /** Reports to webhooks that are not delivered. */
  readonly reports: readonly ReportStatus[];
  /** Its events that cannot be read here. The page rests on the others. */
  readonly unreadable: readonly Unreadable[];
}

/** Everything `show` knows of a run. */
export interface Page extends PageWithoutStart, RunSummary {
  /** What a person has to do outside of the program before the run can go on. */
  readonly remedy: string | null;
  /** What the ending rests on, event by event. */
  readonly evidence: readonly (TimelineEntry & { readonly id: string })[];
  readonly account: Pick<
    Account,
    | 'spend'
    | 'models'
    | 'phases'
    | 'retries'
    | 'limits'
    | 'limitedMs'
    | 'replaced'
    | 'steered'
    | 'idleMs'
    | 'asked'
    | 'files'
  >;
}

type Row = readonly [name: string, value: string];

const MAX_CHARS = 110;
const MAX_ENDING_CHARS = 1_000;
const MAX_UNREADABLE = 5;

/** The page of a run whose start cannot be read. */
export function pageWithoutStart(shown: PageWithoutStart, colours: Colours): string[] {
  const facts: Row[] = [
    ['outcome', standingText(shown.standing)],
    ...named('unreadable', unreadableLines(shown)),
    ...named('reports', reportLines(shown.reports)),
  ];
  return [colours.bold(`run ${shown.run}`), ...columns(facts.map(([name, value]) => [`  ${name}`, value]))];
}

/** The page as text. */
export function page(shown: Page, loop: LoopDefinition | null, colours: Colours): string[] {
  const { settings, ending, answer, standing, text, warnings, findings, account } = shown;
  const { round } = wordsOf(loop);
  const spend = ending ? shown.spend : account.spend;
  const facts: Row[] = [
    ...named('task', taskLines(shown)),
    [
      'loop',
      oneLine(
        [settings.loop, ...(shown.strategy === null ? [] : [`strategy ${shown.strategy}`])].join(', '),
        MAX_CHARS,
      ),
    ],
    ['model', oneLine(settings.model, MAX_CHARS)],
    ['workspace', oneLine(settings.directory, MAX_CHARS * 2)],
    ...named('walls', sandboxLines(settings)),
    ...named('permissions', permissionLines(settings)),
    ...named('thread', threadLines(settings)),
    ...named('isolated', isolationLines(settings)),
    ...named('grounds', earlierLines(settings)),
    ['outcome', ending ? outcomeText(ending, settings.checks.length > 0, colours) : standingText(standing)],
    ...(shown.remedy === null ? [] : ([['needed', oneLine(shown.remedy, MAX_CHARS * 2)]] as const)),
    ...(ending ? acceptedRows(ending.outcome, round) : []),
    ...(ending ? ([['because', oneLine(ending.reason, MAX_ENDING_CHARS)]] as const) : []),
    ...named('evidence', ending ? evidence(shown, round) : []),
    ...(text === null ? [] : ([['summary', oneLine(text, MAX_CHARS * 2)]] as const)),
    ...(answer === '' || answer === ending?.reason ? [] : ([['answer', oneLine(answer, MAX_CHARS)]] as const)),
    ['spent', spent(spend)],
    ['took', took(shown)],
    ...named('on the way', onTheWay(shown)),
    ...named('people', people(shown)),
    ...named('delegated', handedOverLines(shown)),
    ...named(
      'noticed',
      findings.map((finding) => oneLine(findingText(finding), MAX_CHARS * 2)),
    ),
    ...strategyRow(shown),
    ...named(
      'warnings',
      warnings.map((warning) => oneLine(warning, MAX_CHARS * 2)),
    ),
    ...named('reports', reportLines(shown.reports)),
    ...named('unreadable', unreadableLines(shown)),
    ...family(shown),
  ];
  const sections = [
    roundLines(shown, loop),
    tableLines(shown),
    checkLines(shown, colours),
    fileLines(account),
    modelLines(account),
    phaseLines(account),
  ];
  return [
    colours.bold(`run ${shown.run}`),
    ...columns(facts.map(([name, value]) => [`  ${name}`, value])),
    ...sections.flatMap((lines) => (lines.length === 0 ? [] : ['', ...lines])),
  ];
}

/** Several values under one name. */
const named = (name: string, values: readonly string[]): readonly Row[] =>
  values.map((value, index) => [index === 0 ? name : '', value] as const);

/** The task in force, and the one that the run began with, where that was another. */
const taskLines = ({ task, settings }: Pick<Page, 'task' | 'settings'>): string[] => [
  oneLine(task, MAX_CHARS),
  ...(task === settings.prompt ? [] : [`(edited; the run began with: ${oneLine(settings.prompt, MAX_CHARS)})`]),
];

function unreadableLines({ unreadable }: Pick<Page, 'unreadable'>): string[] {
  const shown = unreadable.slice(0, MAX_UNREADABLE);
  const more = unreadable.length - shown.length;
  const lines = shown.map((one) =>
    oneLine(`version ${one.version}, ${one.type}: ${unreadableText(one)}. ${unreadableRemedy(one)}`, MAX_CHARS * 2),
  );
  return [...lines, ...(more > 0 ? [`… and ${more} more`] : [])];
}

function standingText(standing: Standing): string {
  switch (standing.kind) {
    case 'ended':
      return standing.ending;
    case 'running':
      return `running, in ${processOf(standing.by)}`;
    case 'waiting':
      return 'waiting for a person';
    case 'paused':
      return 'paused';
    case 'interrupted':
      return 'interrupted: its process is gone';
  }
}

function evidence({ ending, evidence: events, verification, iterations }: Page, round: string): string[] {
  const outcome = ending?.outcome;
  const isProof = outcome?.ending === 'success' && outcome.verified !== null && verification !== null;
  if (events.length === 0) return ['none'];
  return events.map(({ id, type, text, version }) => {
    if (!isProof || version !== outcome.verified?.version) return `${id} (${oneLine(`${type} ${text}`, MAX_CHARS)})`;
    const { workspace } = outcome.verified;
    const attempt = ofNewest(iterations, round);
    return `${id} (the checks${attempt} passed${workspace === null ? '' : ` on tree ${workspace.slice(0, 12)}`})`;
  });
}

function took({ startedAt, at, account: { idleMs } }: Page): string {
  const wholeMs = Math.max(0, Date.parse(at) - Date.parse(startedAt));
  if (idleMs === 0) return span(wholeMs);
  return `${span(wholeMs)}: ${span(Math.max(0, wholeMs - idleMs))} at work, ${span(idleMs)} idle`;
}

function onTheWay({ account: { retries, limits, limitedMs, replaced } }: Page): string[] {
  return [
    ...(retries === 0 ? [] : [`${amount(retries, 'retry', 'retries')} of the model`]),
    ...(limits === 0 ? [] : [`${amount(limits, 'rate limit')}, to be waited for ${span(limitedMs)}`]),
    ...replaced.map(({ from, to, because }) => oneLine(`${to} in place of ${from}: ${because}`, MAX_CHARS * 2)),
  ];
}

function people({ account: { asked, steered }, standing }: Page): string[] {
  const open = 'questions' in standing ? standing.questions : [];
  const stateOf = ({ run, callId, answer }: Account['asked'][number]) => {
    if (answer !== null) return `answered: ${answer}`;
    return open.some((one) => one.run === run && one.callId === callId) ? 'open' : 'never answered';
  };
  return [
    ...asked.map((one) => `? ${oneLine(one.text, MAX_CHARS)} (${oneLine(stateOf(one), MAX_CHARS)})`),
    ...steered.map((words) => `added: ${oneLine(words, MAX_CHARS * 2)}`),
  ];
}

function family({ settings, parentEffect, continues, continuedAs }: Page): readonly Row[] {
  return [
    ...(parentEffect === null
      ? []
      : ([[settings.parent?.lineage ? 'delegated by' : 'attempt of', parentEffect]] as const)),
    ...(continues === null ? [] : ([['continues', `${continues.run} from version ${continues.version}`]] as const)),
    ...continuedAs.map((run) => ['continued as', run] as const),
  ];
}

const outcomeText = ({ outcome }: RunEnding, checksAsked: boolean, { green, yellow }: Colours): string =>
  (isDone(outcome, checksAsked) ? green : yellow)(endingName(outcome, checksAsked));

function acceptedRows(outcome: Outcome, round: string): readonly Row[] {
  if (outcome.ending !== 'success' || !outcome.accepted) return [];
  const command = filesCommand(outcome.accepted);
  return [
    ['taken', oneLine(acceptedText(outcome.accepted, round), MAX_CHARS * 2)],
    ...(command ? ([['its files', command]] as const) : []),
  ];
}

/** The metadata of the strategy's last decision. */
function strategyRow({ iterations }: Page): readonly Row[] {
  const metadata = iterations.findLast(({ decision }) => decision)?.decision?.metadata ?? null;
  return metadata === null ? [] : [['strategy', oneLine(JSON.stringify(metadata), MAX_CHARS * 2)]];
}
