import type { EventOf, LevelResult, LoopEvent, Remade } from '../../machines/events.ts';
import type { FlickeringTests } from '../../machines/recorded-proof.ts';
import { flickeringNames, unnamedFlickering } from '../evidence/start-text.ts';
import { limitsText } from '../budget/limits-text.ts';
import { amount } from '../text/money.ts';
import { groundsRulingText } from './approver-text.ts';
import { changes, endingName, hookText, leftOutText, noticed, oneLine, span } from './phrases.ts';
import { remadeText } from './remade-text.ts';

const MAX_NAME_CHARS = 60;

/** The line of an event that every loop has. Null: it is an event of one loop. */
export const lineOfEvent = (event: LoopEvent): string | null =>
  lifeLine(event) ?? decisionLine(event) ?? checkedWorkLine(event) ?? childLine(event);

/** The line of a start, a stop or a command of the run itself. */
function lifeLine({ type, payload }: LoopEvent): string | null {
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
    case 'effect.interrupted':
      return `${payload.actor}: ${payload.reason}`;
    default:
      return null;
  }
}

/** The line of a decision, and of what follows the last one. */
function decisionLine({ type, payload }: LoopEvent): string | null {
  switch (type) {
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
    default:
      return null;
  }
}

/** The line of a capture or of checks, and of the ruling on changed grounds. */
function checkedWorkLine({ type, payload }: LoopEvent): string | null {
  switch (type) {
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
    default:
      return null;
  }
}

/** The line of a run below this one. */
function childLine({ type, payload }: LoopEvent): string | null {
  switch (type) {
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
