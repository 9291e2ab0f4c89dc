import type { LoopEvent } from '../../../machines/events.ts';
import type { Finding } from '../../../machines/outcome.ts';
import { endFailures, endingName, findingText, oneLine, warningText } from '../../projections/phrases.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';

const MAX_CHARS = 160;

/** A message about something beside the work, with its tone. */
export interface Notice {
  readonly tone: 'news' | 'warning' | 'error';
  readonly text: string;
}

/**
 * The message of an event of every loop that is not part of the work: warnings, interruptions, what users and detectors
 * did. Null if the work lines say it, or there is nothing to say.
 *
 * @example
 * notice({ type: 'run.steered', payload: { text: 'use tabs' }, run: 'r', version: 9, at: '2026-01-01T00:00:00.000Z' });
 * // { tone: 'news', text: 'a person adds: use tabs' }
 */
export function notice(fact: Fact): Notice | null {
  const told = [
    ['error', failed(fact)],
    ['warning', warned(fact)],
    ['news', news(fact)],
  ] as const;
  const found = told.find(([, text]) => text !== null);
  return found ? { tone: found[0], text: oneLine(found[1] ?? '', MAX_CHARS) } : null;
}

const failed = ({ type, payload }: LoopEvent): string | null =>
  type === 'workspace.failed' ? `${payload.fault.message} (${payload.fault.code})` : null;

function news({ type, payload }: LoopEvent): string | null {
  switch (type) {
    case 'run.steered':
      return `a person adds: ${payload.text}`;
    case 'decision.made':
      return found('observe', payload.findings);
    case 'child.settled':
      return payload.callId === undefined
        ? null
        : `the work delegated by ${payload.callId} has ended: ${endingName(payload.outcome)}`;
    default:
      return null;
  }
}

function warned({ type, payload }: LoopEvent): string | null {
  switch (type) {
    case 'effect.interrupted':
      return `cut off, ${payload.actor}: ${payload.reason}`;
    case 'warning.raised':
      return told(warningText(payload));
    case 'strategy.ended':
      return told(endFailures(payload).join('; ') || null);
    case 'decision.made': {
      const nudges = found('nudge', payload.findings);
      const isTold = !payload.sink && payload.feedback !== undefined;
      return nudges && isTold ? `the model is told: ${nudges}` : nudges;
    }
    case 'abort.requested':
      return `to be ended by ${payload.cause}${payload.reason === null ? '' : `: ${payload.reason}`}`;
    default:
      return null;
  }
}

const told = (warning: string | null): string | null => warning && `warning: ${warning}`;

/** What detectors noticed. A stop is told by the ending, a refused call where it was refused. */
function found(level: Finding['level'], findings: readonly Finding[] = []): string | null {
  return (
    findings
      .filter((one) => one.level === level)
      .map(findingText)
      .join('; ') || null
  );
}
