import { hash } from 'node:crypto';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { RunFacts, TimedWork } from './effect-spans.ts';
import { type Attributes, attributesText, nanoseconds } from './otlp-json.ts';
import { errorOf, failedEnding, ownTexts, type ToldRun, toldWork } from './work-spans.ts';

/** The ids of a run that its spans have in common: they are the same each time they are made. */
export interface SpanIds {
  /** A trace is a tree of runs: its id is that of the run at the top. */
  readonly trace: string;
  /** Of the run itself. */
  readonly run: string;
  /** Of the effect that has opened the run. Null: it is at the top. */
  readonly opener: string | null;
  readonly forkedFrom: Link | null;
}

interface Link {
  readonly trace: string;
  readonly span: string;
}

/** The ids of a run. `openedBy`: the effect that has opened it, as `RUN/VERSION/n`. */
export const spanIds = (
  run: string,
  around: { readonly root: string; readonly openedBy: string | null; readonly forkedFrom: string | null },
): SpanIds => ({
  trace: traceIdOf(around.root),
  run: spanIdOf(run),
  opener: around.openedBy === null ? null : spanIdOf(around.openedBy),
  forkedFrom:
    around.forkedFrom === null ? null : { trace: traceIdOf(around.forkedFrom), span: spanIdOf(around.forkedFrom) },
});

const traceIdOf = (root: string): string =>
  /^[0-9a-f-]{36}$/.test(root) ? root.replaceAll('-', '') : digest(root).slice(0, 32);
const spanIdOf = (text: string): string => digest(text).slice(0, 16);
const digest = (text: string): string => hash('sha256', text, 'hex');

/** Writes the span of work that has ended. `kind`: 1 is internal, 3 a client. */
export function writeSpan(work: TimedWork, run: ToldRun, ids: SpanIds): string {
  const { effect, attempt, from, to, kind, result } = work;
  const first = effect === null ? work.run : `${work.run}/${effect}`;
  const parent = kind === 'run' && effect === null ? ids.opener : ids.run;
  const spanId = effect === null ? ids.run : spanIdOf(attempt > 1 ? `${first}#${attempt}` : first);
  const told = toldWork(work, run);
  const own = attempt === 1 ? run.common.own : ownTexts(work);
  // Joined, and not added up: a text in many pieces is put together only when it is sent, at several times the cost.
  return [
    `{"traceId":"${ids.trace}","spanId":"`,
    spanId,
    parent === null ? '","name":' : `","parentSpanId":"${parent}","name":`,
    JSON.stringify(told.name),
    told.isClient ? ',"kind":3,"startTimeUnixNano":"' : ',"kind":1,"startTimeUnixNano":"',
    nanoseconds(from),
    '","endTimeUnixNano":"',
    nanoseconds(to),
    '","attributes":[',
    attributesText(told.attributes),
    ',',
    own,
    '],"events":[',
    kind === 'run' ? decisionsIn(work, run.facts) : checksIn(result),
    '],"links":[',
    linkOf(work, ids, first),
    '],"status":',
    statusOf(work, run.facts),
    '}',
  ].join('');
}

/** A further attempt is linked to the first one, a fork to the run that it came from. */
function linkOf({ attempt, kind, effect }: TimedWork, ids: SpanIds, first: string): string {
  if (attempt > 1) return linkText({ trace: ids.trace, span: spanIdOf(first) });
  if (kind !== 'run') return '';
  if (effect !== null) return linkText({ trace: ids.trace, span: ids.run });
  return ids.forkedFrom === null ? '' : linkText(ids.forkedFrom);
}

const linkText = ({ trace, span }: Link): string => `{"traceId":"${trace}","spanId":"${span}"}`;

/** 0 is unset, 2 an error. */
function statusOf(work: TimedWork, { decisions }: RunFacts): string {
  const error = work.kind === 'run' ? failedEnding(decisions, work.to) : errorOf(work.result);
  // A wait for a person is no error.
  if (work.kind === 'wait' || error === null) return '{"code":0}';
  return `{"code":2,"message":${JSON.stringify(error)}}`;
}

const eventText = (at: string, name: string, attributes: Attributes): string =>
  `{"timeUnixNano":"${nanoseconds(at)}","name":"${name}","attributes":[${attributesText(attributes)}]}`;

function decisionsIn({ from, to }: TimedWork, { decisions }: RunFacts): string {
  let text = '';
  for (const { at, payload } of decisions) {
    if (at < from || at > to) continue;
    const { action, reason, evidence } = payload;
    const said: Attributes = [
      ['action', action],
      ['reason', reason],
      ['evidence', evidence],
    ];
    text += `${text === '' ? '' : ','}${eventText(at, 'loopfold.decision', said)}`;
  }
  return text;
}

function checksIn(result: Fact | null): string {
  if (result?.type !== 'verification.completed') return '';
  const checks = result.payload.levels.flatMap(({ level, checks: ran }) => ran.map((one) => ({ level, ...one })));
  return checks
    .map(({ name, passed, level }) =>
      eventText(result.at, 'loopfold.check', [
        ['loopfold.check', name],
        ['passed', passed],
        ['level', level],
      ]),
    )
    .join(',');
}
