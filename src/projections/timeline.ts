import type { EventOf, LevelResult, LoopEvent, Remade } from '../../machines/events.ts';
import type { FlickeringTests } from '../../machines/recorded-proof.ts';
import { flickeringNames, unnamedFlickering } from '../evidence/start-text.ts';
import { limitsText } from '../budget/limits-text.ts';
import type { Json } from '../log/envelope.ts';
import { jsonFault } from '../log/json-gate.ts';
import type { Fact, Unreadable } from '../log/read-event.ts';
import { unreadableText } from '../log/unreadable.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import { amount } from '../text/money.ts';
import { groundsRulingText } from './approver-text.ts';
import { changes, endingName, hookText, leftOutText, noticed, oneLine, span } from './phrases.ts';
import { remadeText } from './remade-text.ts';

/** One event of a run in one line. */
export interface TimelineEntry {
  /** The run that recorded it: for the events that a continuation shares, the original run. */
  readonly run: string;
  readonly version: number;
  readonly at: string;
  readonly type: string;
  readonly text: string;
}

const MAX_TEXT_CHARS = 160;
const MAX_NAME_CHARS = 60;

/**
 * A fact as a line for people: rounds counted from 1, contents cut at so many characters. `loop` describes its own
 * events; where it is null, or has no line for one, the line is the recorded payload.
 *
 * @example
 * timelineEntry(fact, knownLoop('reviewed@1', loops)).text; // rejected: the names are unclear
 */
export function timelineEntry(fact: Fact, loop: LoopDefinition | null, most = MAX_TEXT_CHARS): TimelineEntry {
  const { run, version, at, type, payload } = fact;
  const said = shared(fact) ?? loop?.describe.line(fact) ?? JSON.stringify(payload);
  return { run, version, at, type, text: oneLine(said, most) };
}

/** An unreadable event as a line: the reason, and the recorded payload. */
export function unreadableEntry(unreadable: Unreadable, payload: Json): TimelineEntry {
  const { run, version, at, type } = unreadable;
  return {
    run,
    version,
    at,
    type,
    text: oneLine(`unreadable (${unreadableText(unreadable)}): ${payloadText(payload)}`, MAX_TEXT_CHARS),
  };
}

/** A payload that was edited may be nested deeper than JSON can be written. */
const payloadText = (payload: Json): string => jsonFault(payload)?.found ?? JSON.stringify(payload);

/** The line of an event that every loop has. */
function shared({ type, payload }: LoopEvent): string | null {
  switch (type) {
    case 'run.started':
      return `${payload.machine}: ${payload.settings.prompt}`;
    case 'run.continued':
      return continuedText(payload);
    case 'run.paused':
      return `by ${payload.by}`;
    case 'run.resumed':
      return [`after ${span(payload.idleMs)} idle`, ...remadeTexts(payload.remade)].join('. ');
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
      return [
        payload.sink ? endingName(payload.sink) : payload.action,
        ': ',
        payload.reason,
        noticed(payload.findings),
      ].join('');
    case 'summary.written':
      return payload.text;
    case 'strategy.ended':
      return [
        payload.fault ? `${payload.strategy}: ${payload.fault.message}` : (payload.strategy ?? ''),
        ...(payload.hooks ?? []).map(hookText),
      ]
        .filter((part) => part !== '')
        .join('; ');
    case 'effect.interrupted':
      return `${payload.actor}: ${payload.reason}`;
    case 'workspace.captured':
      return [
        `${payload.hash?.slice(0, 12) ?? 'no git'}: ${changes(payload.changed) ?? 'nothing changed'}`,
        ...(payload.leftOut ? [`not captured: ${leftOutText(payload.leftOut)}`] : []),
      ].join('; ');
    case 'workspace.failed':
      return `${payload.fault.code}: ${payload.fault.message}`;
    case 'baseline.taken':
      return payload.fault
        ? `${payload.fault.code}: ${payload.fault.message}`
        : [`before any work, ${verifiedText(payload)}`, ...flickeringText(payload.flickering)].join('; ');
    case 'verification.completed':
      return `${verifiedText(payload)}${payload.proof?.repeated ? '; as before, for the same files' : ''}`;
    case 'grounds.approved':
    case 'grounds.denied':
      return [
        groundsRulingText(type === 'grounds.approved', 'by' in payload ? payload.by : undefined),
        ...(payload.reason === null ? [] : [payload.reason]),
      ].join(': ');
    case 'child.asked':
      return `run ${payload.child} waits for a person`;
    case 'child.answered':
      return `run ${payload.child} goes on`;
    case 'child.settled':
      return [
        ...(payload.callId === undefined ? [] : [payload.callId]),
        `${endingName(payload.outcome)}, run ${payload.child}`,
        payload.answer,
      ].join(': ');
    default:
      return null;
  }
}

function continuedText({ limits, strategy, detectors, remade }: EventOf<'run.continued'>['payload']): string {
  const watched = detectors?.map((one) => (typeof one === 'string' ? one : one.name)).join(', ');
  const changed = [
    ...(strategy ? [`strategy ${strategy.name}`] : []),
    ...(watched === undefined ? [] : [`detectors ${watched || 'none'}`]),
  ];
  return [[`limits: ${limitsText(limits)}`, ...changed].join('; '), ...remadeTexts(remade)].join('. ');
}

const remadeTexts = (remade: Remade | undefined) => (remade ? [remadeText(remade)] : []);

function flickeringText(flickering: readonly FlickeringTests[] = []): readonly string[] {
  const named = flickeringNames(flickering).map((name) => oneLine(name, MAX_NAME_CHARS));
  const all = amount(named.length + unnamedFlickering(flickering), 'test');
  return named.length === 0 ? [] : [`${all} that came to something else in a second run: ${named.join(', ')}`];
}

type Checked = Pick<EventOf<'verification.completed'>['payload'], 'passed' | 'levels' | 'ci'>;

function verifiedText({ passed, levels, ci }: Checked): string {
  const status = ci ? [`${ci.passed ? '✓' : '✗'} ci`] : [];
  if (levels.length === 0) return ['nothing was checked', ...status].join(', ');
  return `${passed ? 'passed' : 'failed'}: ${[...levels.flatMap(checksOf), ...status].join(', ')}`;
}

const checksOf = ({ level, checks }: LevelResult) =>
  checks.map(({ name, passed }) => `${passed ? '✓' : '✗'} ${level} ${oneLine(name, MAX_NAME_CHARS)}`);
