import type { LoopEvent } from '../../machines/events.ts';
import type { Life } from '../../machines/life.ts';
import { keptUsage } from '../budget/allowance.ts';
import type { Outstanding } from './fold.ts';

const NO_USAGE = { inputTokens: 0, outputTokens: 0 };

/**
 * What is recorded for an effect that was stopped, or lost in a crash, and will not answer. Null: it owes no word. Where
 * it may have used something, all that its run, as it stands, has set aside for it counts as used.
 */
export function interruption({ key, actor }: Outstanding, reason: string, life: Life | null = null): LoopEvent | null {
  const kept = life && keptUsage(life, key);
  switch (actor) {
    case 'streamModel':
      return { type: 'model.interrupted', payload: { reason, text: '', usage: kept ?? NO_USAGE } };
    case 'runTool':
    case 'askPerson':
      return lostCall(key, reason);
    case 'captureWorkspace':
      return { type: 'effect.interrupted', payload: { actor: 'capture', reason } };
    case 'verifyWork':
      return { type: 'effect.interrupted', payload: { actor: 'checks', reason } };
    case 'runAgent':
      return key === 'agent' ? { type: 'effect.interrupted', payload: { actor: 'agent', reason, ...(kept ? { usage: kept } : {}) } } : lostCall(key, reason);
    case 'summarise':
      return key === 'compaction' ? { type: 'effect.interrupted', payload: { actor: 'compaction', reason } } : null;
    default:
      return null;
  }
}

const lostCall = (key: string, reason: string): LoopEvent => ({
  type: 'tool.interrupted',
  payload: { callId: key.slice('call.'.length), reason },
});
