import type { EventOf } from '../../machines/events.ts';
import { addSpend, type Finding, type Ending, NO_SPEND, type Outcome, type Spend } from '../../machines/outcome.ts';
import type { Limits, RunSettings } from '../../machines/settings.ts';
import type { CheckCost } from '../../machines/recorded-proof.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { ShownTable } from '../kernel/loop-description.ts';
import { checkCostWith } from './check-cost.ts';
import { additionsOf, spentBy, knownLoop } from './loop-in-view.ts';
import { type RoundRow, roundTable } from './round-table.ts';
import { endFailures, warningText } from './phrases.ts';
import { remadeText } from './remade-text.ts';

/** The decision that ended a run, with its evidence. */
export interface RunEnding {
  readonly version: number;
  readonly at: string;
  readonly outcome: Outcome;
  readonly reason: string;
  /** Ids (`RUN/version`). */
  readonly evidence: readonly string[];
}

/** One piece of delegated work, and the run that did it. */
export interface DelegatedRun {
  readonly child: string;
  readonly callId: string;
  readonly ending: Ending;
  /** Part of the spend of the delegating run. */
  readonly spend: Spend;
}

/** A run on one page. */
export interface RunSummary {
  readonly machine: string;
  readonly settings: RunSettings;
  /** The task in force: the prompt, unless the loop's own events have changed it, as an edit of a state file does. */
  readonly task: string;
  /** The limits in force: a continuation may change those that the run was started with. */
  readonly limits: Limits;
  readonly attemptLimits: Limits | null;
  /** How many rounds may run, in the numbers that people know, where they may have changed them. Absent: the limit. */
  readonly shownMaximum?: number;
  readonly strategy: string | null;
  readonly startedAt: string;
  /** The newest fact. */
  readonly at: string;
  readonly version: number;
  readonly paused: boolean;
  readonly ending: RunEnding | null;
  /** The summary at its end. */
  readonly text: string | null;
  /** The newest answer of its model or of its last attempt. */
  readonly answer: string;
  readonly spend: Spend;
  /** The newest. */
  readonly verification:
    | (Pick<Verification, 'passed' | 'levels' | 'ci' | 'proof' | 'ungraded'> & { readonly version: number })
    | null;
  /** Of all checks so far. Null: it was not measured. */
  readonly checkCost: CheckCost | null;
  /** When a person let changed tests and configuration count, and which. Null: no person has. */
  readonly ruled: { readonly at: string; readonly digest: string } | null;
  /** Its rounds, where its loop has rows for them. */
  readonly iterations: readonly RoundRow[];
  /** What its loop's own events put on the page. Absent: nothing. */
  readonly table?: ShownTable;
  /** Work that a model has delegated and that has ended. */
  readonly handedOver: readonly DelegatedRun[];
  readonly warnings: readonly string[];
  /** The newest findings of detectors, without observations. The findings of an attempt are in its own run. */
  readonly findings: readonly RecordedFinding[];
}

/** A finding, and the version that recorded it. */
export interface RecordedFinding extends Finding {
  readonly version: number;
}

type Verification = EventOf<'verification.completed'>['payload'];

const MAX_WARNINGS = 20;
const MAX_FINDINGS = 20;

/**
 * The page of a run after one more fact. Null before the first. Where its loop is not among `loops`, only the events of
 * every loop count.
 *
 * @example
 * let summary: RunSummary | null = null;
 * for await (const envelope of log.read(run)) summary = runSummary(summary, factOf(envelope), loops);
 */
export function runSummary(
  summary: RunSummary | null,
  fact: Fact,
  loops: readonly LoopDefinition[],
): RunSummary | null {
  if (fact.type === 'run.started') return opened(fact);
  if (!summary) return null;
  const loop = knownLoop(summary.machine, loops);
  const iterations = roundTable(summary.iterations, fact, loop);
  return noted({ ...summary, iterations, at: fact.at, version: fact.version }, fact, loop);
}

/** A page that is being written: what was a page before stays as it was. */
type Draft = { -readonly [Member in keyof RunSummary]: RunSummary[Member] };

function noted(summary: Draft, fact: Fact, loop: LoopDefinition | null): RunSummary {
  const { answer, findings, table } = additionsOf(fact, loop);
  const spend = spentBy(fact, loop);
  if (spend) summary.spend = addSpend(summary.spend, spend);
  summary.answer = answer ?? summary.answer;
  if (table) summary.table = table;
  if (findings) notice(summary, fact.version, findings);
  switch (fact.type) {
    case 'run.continued':
      summary.limits = fact.payload.limits;
      summary.attemptLimits = fact.payload.attemptLimits;
      summary.strategy = fact.payload.strategy?.name ?? null;
      summary.paused = false;
      if (fact.payload.remade) warn(summary, remadeText(fact.payload.remade));
      break;
    case 'run.migrated':
      summary.machine = fact.payload.to;
      break;
    case 'run.paused':
      summary.paused = true;
      break;
    case 'run.resumed':
      summary.paused = false;
      if (fact.payload.remade) warn(summary, remadeText(fact.payload.remade));
      break;
    case 'warning.raised':
      warn(summary, warningText(fact.payload));
      break;
    case 'child.settled':
      if (fact.payload.callId !== undefined)
        summary.handedOver = [...summary.handedOver, delegatedRun(fact.payload, fact.payload.callId)];
      summary.spend = addSpend(summary.spend, fact.payload.spend);
      break;
    case 'baseline.taken':
      summary.checkCost = checkCostWith(summary.checkCost, fact.payload.cost);
      break;
    case 'verification.completed':
      summary.checkCost = checkCostWith(summary.checkCost, fact.payload.proof?.cost);
      summary.verification = { version: fact.version, ...verdictOf(fact.payload) };
      break;
    case 'grounds.approved':
      summary.ruled = { at: fact.at, digest: fact.payload.digest };
      break;
    case 'decision.made':
      if (fact.payload.sink) {
        summary.ending = ending(fact, fact.payload.sink);
        summary.paused = false;
      }
      break;
    case 'summary.written':
      summary.text = fact.payload.text;
      break;
    case 'strategy.ended':
      summary.warnings = [...summary.warnings, ...endFailures(fact.payload)];
      break;
  }
  return summary;
}

const delegatedRun = (
  { child, outcome, spend }: EventOf<'child.settled'>['payload'],
  callId: string,
): DelegatedRun => ({
  child,
  callId,
  ending: outcome.ending,
  spend,
});

const opened = ({ payload, at, version }: Fact & EventOf<'run.started'>): RunSummary => ({
  machine: payload.machine,
  settings: payload.settings,
  task: payload.settings.prompt,
  limits: payload.settings.limits,
  attemptLimits: payload.settings.attemptLimits,
  strategy: payload.settings.strategy?.name ?? null,
  startedAt: at,
  at,
  version,
  paused: false,
  ending: null,
  text: null,
  answer: '',
  spend: NO_SPEND,
  verification: null,
  checkCost: null,
  ruled: null,
  iterations: [],
  handedOver: [],
  warnings: [],
  findings: [],
});

function warn(summary: Draft, message: string | null): void {
  if (message !== null && summary.warnings.length < MAX_WARNINGS) summary.warnings = [...summary.warnings, message];
}

function notice(summary: Draft, version: number, findings: readonly Finding[]): void {
  const telling = findings.filter(({ level }) => level !== 'observe').map((finding) => ({ version, ...finding }));
  // A refused call records the finding first, and the decision after it names the finding again.
  const news = telling.filter(
    ({ detector, message }) => !summary.findings.some((one) => one.detector === detector && one.message === message),
  );
  summary.findings = [...summary.findings, ...news].slice(-MAX_FINDINGS);
}

const verdictOf = ({ passed, levels, ci, proof, ungraded }: Verification) => ({
  passed,
  levels,
  ...(ci ? { ci } : {}),
  ...(proof ? { proof } : {}),
  ...(ungraded ? { ungraded } : {}),
});

const ending = ({ version, at, payload }: Fact & EventOf<'decision.made'>, outcome: Outcome): RunEnding => ({
  version,
  at,
  outcome,
  reason: payload.reason,
  evidence: payload.evidence,
});
