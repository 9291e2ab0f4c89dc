import { asJson } from './as-json.ts';
import { exitNow } from './early-exit.ts';
import { SIGNAL_EXIT } from './exit-status.ts';
import { failedResult } from './result.ts';
import type { Listener } from './signals.ts';

/** A signal while there is no run to pause: the process ends at once, and a program that wants a result still gets one. */
export function stoppedEarly(words: readonly string[]): Listener {
  return (signal) => {
    const status = SIGNAL_EXIT[signal];
    const result = failedResult({ status, message: `${signal} came before there was a run to pause` }, null, []);
    // Written by hand: what else could write may not be loaded yet.
    if (wantsResult(words)) process.stdout.write(`${asJson(result)}\n`);
    exitNow(status);
  };
}

const JSON_FORMATS = /^(stream-)?json$/;
const SERVING_VERBS = ['run', 'resume', 'extend'];

/** Read from the words themselves: what was wrong may be that they cannot be parsed. */
export function wantsResult(words: readonly string[]): boolean {
  const [flag, variable] = ['--output-format', process.env['LOOPFOLD_OUTPUT_FORMAT'] ?? ''];
  const spoken = words.findLast((word, index) => words[index - 1] === flag || word.startsWith(`${flag}=`));
  if (spoken !== undefined) return JSON_FORMATS.test(spoken.replace(`${flag}=`, ''));
  return JSON_FORMATS.test(variable) && words.some((word) => SERVING_VERBS.includes(word));
}
