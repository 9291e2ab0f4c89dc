import { asJson } from '../pages/as-json.ts';
import { exitNow, SIGNAL_EXIT } from './exit-status.ts';
import { failedResult } from '../pages/result.ts';
import type { Listener } from './stop-signals.ts';

/**
 * Handles a signal while there is no run to pause: the process exits at once, after the result line if one is wanted.
 */
export function stoppedEarly(words: readonly string[]): Listener {
  return (signal) => {
    const status = SIGNAL_EXIT[signal];
    const result = failedResult({ status, message: `${signal} came before there was a run to pause` }, null, []);
    // Written directly: the output modules may not be loaded yet.
    if (wantsResult(words)) process.stdout.write(`${asJson(result)}\n`);
    exitNow(status);
  };
}

const JSON_FORMATS = /^(stream-)?json$/;
const SERVING_VERBS = ['run', 'resume', 'extend'];

/** Read from the raw arguments, because they may be what cannot be parsed. */
export function wantsResult(words: readonly string[]): boolean {
  const [flag, variable] = ['--output-format', process.env['LOOPFOLD_OUTPUT_FORMAT'] ?? ''];
  const spoken = words.findLast((word, index) => words[index - 1] === flag || word.startsWith(`${flag}=`));
  if (spoken !== undefined) return JSON_FORMATS.test(spoken.replace(`${flag}=`, ''));
  return JSON_FORMATS.test(variable) && words.some((word) => SERVING_VERBS.includes(word));
}
