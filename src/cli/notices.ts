import type { LoopEvent } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import { endingName, farewellFailed, findingText, oneLine } from '../projections/wording.ts';
import type { Fact } from '../runtime/cast.ts';

const MAX_CHARS = 160;

/** In what tone a person hears of something that is not the work itself. */
export interface Notice {
  readonly tone: 'news' | 'warning' | 'error';
  readonly text: string;
}

/**
 * What a fact that any loop may record says beside the work: warnings, interruptions, what people and detectors did. Null
 * where the work tells it better, or nothing is to be known.
 *
 * @example
 * notice({ type: 'run.steered', payload: { text: 'use tabs' }, run: 'r', version: 9, at: '2026-01-01T00:00:00.000Z' });
 * // { tone: 'news', text: 'a person adds: use tabs' }
 */
export function notice(fact: Fact): Notice | null {
  const told = [['error', failed(fact)], ['warning', warned(fact)], ['news', news(fact)]] as const;
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
      return payload.callId === undefined ? null : `the work handed over by ${payload.callId} has ended: ${endingName(payload.outcome)}`;
    default:
      return null;
  }
}

function warned({ type, payload }: LoopEvent): string | null {
  switch (type) {
    case 'effect.interrupted':
      return `cut off, ${payload.actor}: ${payload.reason}`;
    case 'warning.raised':
      return `warning: ${payload.message}`;
    case 'strategy.ended':
      return told(farewellFailed(payload));
    case 'decision.made': {
      const nudges = found('nudge', payload.findings);
      return nudges && !payload.sink ? `the model is told: ${nudges}` : nudges;
    }
    case 'abort.requested':
      return `to be ended by ${payload.cause}${payload.reason === null ? '' : `: ${payload.reason}`}`;
    default:
      return null;
  }
}

const told = (warning: string | null): string | null => warning && `warning: ${warning}`;

/** What detectors noticed and how strongly. A stop is told by the ending, a refused call where it was refused. */
function found(level: Finding['level'], findings: readonly Finding[] = []): string | null {
  return findings.filter((one) => one.level === level).map(findingText).join('; ') || null;
}
