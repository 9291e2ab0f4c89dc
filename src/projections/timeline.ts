import type { EventOf, LevelResult, LoopEvent, ToolCall } from '../../machines/events.ts';
import type { Limits } from '../../machines/settings.ts';
import type { Json } from '../log/envelope.ts';
import type { Fact, Unreadable } from '../log/read-event.ts';
import { unreadableText } from '../log/unreadable.ts';
import { formatDuration } from '../config/duration.ts';
import { formatMoney } from '../config/money.ts';
import { amount, callArgument, changes, endingName, findingText, oneLine } from './wording.ts';

/** One fact of a run in one line. */
export interface TimelineEntry {
  /** The run that recorded it: in a continuation's shared beginning, the original. */
  readonly run: string;
  readonly version: number;
  readonly at: string;
  readonly type: string;
  readonly text: string;
}

const MAX_TEXT_CHARS = 160;
const MAX_PART_CHARS = 60;

/**
 * What a fact says, for people: steps and iterations counted from 1, contents cut to a line.
 *
 * @example
 * for await (const envelope of log.read(run)) console.log(timelineEntry(factOf(envelope)).text);
 */
export function timelineEntry(fact: Fact): TimelineEntry {
  const { run, version, at, type } = fact;
  return { run, version, at, type, text: oneLine(said(fact), MAX_TEXT_CHARS) };
}

/** An event that cannot be read, as it stands in the log: why, and what it carries. */
export function unreadableEntry(unreadable: Unreadable, payload: Json): TimelineEntry {
  const { run, version, at, type } = unreadable;
  return { run, version, at, type, text: oneLine(`unreadable (${unreadableText(unreadable)}): ${JSON.stringify(payload)}`, MAX_TEXT_CHARS) };
}

function said({ type, payload }: LoopEvent): string {
  switch (type) {
    case 'run.started':
      return `${payload.machine}: ${payload.settings.prompt}`;
    case 'run.continued':
      return continuedText(payload);
    case 'run.paused':
      return `by ${payload.by}`;
    case 'run.resumed':
      return `after ${formatDuration(payload.idleMs)} in which nobody worked on it`;
    case 'run.migrated':
      return `from ${payload.from} to ${payload.to}`;
    case 'run.steered':
      return payload.text;
    case 'abort.requested':
      return payload.reason === null ? `by ${payload.cause}` : `by ${payload.cause}: ${payload.reason}`;
    case 'timer.fired':
      return payload.timer;
    case 'warning.raised':
      return `${payload.code}: ${payload.message}`;
    case 'decision.made':
      return `${payload.sink ? endingName(payload.sink) : payload.action}: ${payload.reason}${noticed(payload.findings)}`;
    case 'summary.written':
      return payload.text;
    case 'strategy.ended':
      return payload.fault ? `${payload.strategy}: ${payload.fault.message}` : (payload.strategy ?? '');
    case 'effect.interrupted':
      return `${payload.actor}: ${payload.reason}`;
    case 'workspace.captured':
      return `${payload.hash?.slice(0, 12) ?? 'no git'}: ${changes(payload.changed) ?? 'nothing changed'}`;
    case 'workspace.failed':
    case 'model.failed':
      return `${payload.fault.code}: ${payload.fault.message}`;
    case 'verification.completed':
      return verifiedText(payload);
    case 'iteration.started':
      return `iteration ${payload.iteration + 1}`;
    case 'child.asked':
      return `run ${payload.child} waits for a person`;
    case 'child.answered':
      return `run ${payload.child} goes on`;
    case 'child.settled':
      return `${payload.callId === undefined ? '' : `${payload.callId}: `}${endingName(payload.outcome)}, run ${payload.child}: ${payload.answer}`;
    case 'step.started':
      return `step ${payload.step + 1}${payload.reserved ? `, ${shareText(payload.reserved)} set aside` : ''}`;
    case 'model.completed':
      return [payload.text, ...payload.calls.map(callText), ...(payload.cut ? [`(ended early: ${payload.cut})`] : [])].join(' ');
    case 'model.interrupted':
      return payload.text === '' ? payload.reason : `${payload.reason}: ${payload.text}`;
    case 'model.retried':
      return `try ${payload.attempt} failed: ${payload.fault.message}`;
    case 'model.limited':
      return `until ${payload.retryAt}${payload.fault ? `: ${payload.fault.message}` : ''}`;
    case 'model.replaced':
      return `${payload.to} in place of ${payload.from}: ${payload.fault.message}`;
    case 'context.filled':
      return 'the conversation no longer fits';
    case 'context.compacted':
      return payload.summary;
    case 'calls.admitted': {
      const refused = payload.refused.map(({ callId, reason }) => `, ${callId} refused: ${reason}`).join('');
      const shares = payload.run.map(({ callId, share }) => (share ? `, ${callId} may use ${shareText(share)}` : '')).join('');
      return `${amount(payload.run.length, 'call')}${shares}${refused}${noticed(payload.findings)}`;
    }
    case 'tool.completed':
      return `${payload.callId}: ${payload.output}`;
    case 'tool.failed':
      return `${payload.callId}: ${payload.fault.message}`;
    case 'tool.interrupted':
      return `${payload.callId}: ${payload.reason}`;
    case 'person.answered':
      return `${payload.callId}: ${payload.answer}`;
  }
}

function continuedText({ limits, strategy, detectors }: EventOf<'run.continued'>['payload']): string {
  const watched = detectors?.map((one) => (typeof one === 'string' ? one : one.name)).join(', ');
  const changed = [...(strategy ? [`strategy ${strategy.name}`] : []), ...(watched === undefined ? [] : [`detectors ${watched || 'none'}`])];
  return [`limits: ${limitsText(limits)}`, ...changed].join('; ');
}

function verifiedText({ passed, levels, ci }: EventOf<'verification.completed'>['payload']): string {
  const status = ci ? [`${ci.passed ? '✓' : '✗'} ci`] : [];
  if (levels.length === 0) return ['nothing was checked', ...status].join(', ');
  return `${passed ? 'passed' : 'failed'}: ${[...levels.flatMap(checksOf), ...status].join(', ')}`;
}

const noticed = (findings: EventOf<'decision.made'>['payload']['findings'] = []): string =>
  findings.map((finding) => `; ${findingText(finding)}`).join('');

const shareText = ({ tokens, nanoUsd }: { readonly tokens: number | null; readonly nanoUsd: number | null }): string => {
  const parts = [...(tokens === null ? [] : [amount(tokens, 'token')]), ...(nanoUsd === null ? [] : [formatMoney(nanoUsd)])];
  return parts.join(', ') || 'nothing';
};

const callText = (call: ToolCall) => `${call.tool}(${callArgument(call, MAX_PART_CHARS)})`;

const checksOf = ({ level, checks }: LevelResult) =>
  checks.map(({ name, passed }) => `${passed ? '✓' : '✗'} ${level} ${oneLine(name, MAX_PART_CHARS)}`);

function limitsText({ maxIterations, maxSteps, maxToolCalls, maxTokens, maxTimeMs, maxCostNanoUsd = null }: Limits): string {
  const capped = [
    [maxIterations, 'iteration'],
    [maxSteps, 'step'],
    [maxToolCalls, 'tool call'],
    [maxTokens, 'token'],
  ] as const;
  const counts = capped.flatMap(([limit, unit]) => (limit === null ? [] : [amount(limit, unit)]));
  const others = [maxCostNanoUsd === null ? [] : [formatMoney(maxCostNanoUsd)], maxTimeMs === null ? [] : [formatDuration(maxTimeMs)]];
  return [...counts, ...others.flat()].join(', ');
}
