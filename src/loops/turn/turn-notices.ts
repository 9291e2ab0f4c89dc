import { clockTime } from '../../text/clock-time.ts';
import type { LoopEvent } from '../../../machines/events.ts';
import { oneLine, span } from '../../projections/phrases.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { Piece, Tone } from '../../kernel/narration.ts';
import { accessText } from '../../kernel/access-through-walls.ts';

const MAX_CHARS = 160;

/**
 * The notice for a fact of a turn: waits, retries, another model, answers of users. Null: none.
 */
export const noticed = (fact: Fact): Piece | null =>
  piece('error', failed(fact)) ?? piece('warning', warned(fact)) ?? piece('news', news(fact));

const piece = (tone: Tone, text: string | null): Piece | null =>
  text === null ? null : { tone, text: oneLine(text, MAX_CHARS) };

const failed = ({ type, payload }: LoopEvent): string | null =>
  type === 'model.failed' ? `${payload.fault.message} (${payload.fault.code})` : null;

function news({ type, payload }: LoopEvent): string | null {
  switch (type) {
    case 'person.answered':
      if (payload.access)
        return `a person ${payload.access.granted ? 'allows' : 'does not allow'} ${accessText(payload.access)}`;
      if (payload.permission) return `a person ${payload.permission.granted ? 'allows' : 'does not allow'} the call`;
      return `a person answers: ${payload.answer}`;
    case 'server.answered':
      return `a person answers: ${payload.answer}`;
    case 'context.compacted':
      return 'the conversation was summarised, to make room';
    default:
      return null;
  }
}

function warned({ type, payload, at }: Fact): string | null {
  switch (type) {
    case 'model.retried': {
      const again = payload.retryAt === undefined ? 'at once' : `in ${until(payload.retryAt, at)}`;
      return `the model failed, try ${payload.attempt}: ${payload.fault.message}; again ${again}`;
    }
    case 'model.limited': {
      const why = payload.fault ? `: ${payload.fault.message}` : '';
      const end = clockTime(payload.retryAt, Date.parse(at));
      return `rate limit: waiting ${until(payload.retryAt, at)}, until ${end}${why}`;
    }
    case 'model.replaced':
      return `${payload.to} answers from here on in place of ${payload.from}: ${payload.fault.message}`;
    case 'model.interrupted':
      return `the answer was cut off: ${payload.reason}`;
    case 'context.filled':
      return 'the conversation is longer than the model can read';
    default:
      return null;
  }
}

const until = (time: string, at: string) => span(Math.max(0, Date.parse(time) - Date.parse(at)));
