import type { Outcome } from '../../machines/outcome.ts';
import type { FinalResult } from './strategy.ts';

/** The ending of a run as its strategy is told of it in `onLoopEnd`. */
export function finalResult(outcome: Outcome): FinalResult {
  switch (outcome.ending) {
    case 'success':
      return 'success';
    case 'cap_hit':
      return outcome.limit.name === 'time_ms' ? 'timeout' : 'max_iterations';
    case 'doom_loop':
    case 'budget':
      return 'strategy_stop';
    case 'abort':
      return 'error';
  }
}
