import { plain } from '../../../text/one-line.ts';
import type { ReportedError } from '../../../ports/effect-records.ts';

/** A line that reports an error, by its level or by its words. */
const ERROR = new RegExp(
  [
    String.raw`(?:^|[\s[("'=|:])(?:error|err|fatal|critical|panic|severe)(?:[\s\])"':|,]|$)`,
    String.raw`\b[a-z]\w*(?:error|exception)\b`,
    String.raw`\bunhandled (?:rejection|exception)\b`,
    String.raw`^traceback \(most recent call last\)`,
  ].join('|'),
  'i',
);
/** It counts errors, or says that there are none. */
const NONE = /\b(?:0|no|without|zero) errors?\b|\berrors?[:=] ?0\b/i;
/** A line that belongs to the error above: a stack, or its cause. */
const GOES_ON = /^(?:\s+\S|Caused by:|\s*at )/;
const MAX_LINES_OF_ONE = 20;
const MAX_ERRORS = 5_000;

/** The errors in the text of a log, each with the lines of its stack. At most 5,000: the last ones. */
export function logErrors(log: string, where: string): readonly ReportedError[] {
  const errors: ReportedError[] = [];
  let open: string[] | null = null;
  const close = () => {
    if (open) errors.push({ text: open.join('\n'), where });
    open = null;
  };
  for (const line of plain(log).split('\n')) {
    if (open && GOES_ON.test(line)) {
      if (open.length < MAX_LINES_OF_ONE) open.push(line);
      continue;
    }
    close();
    if (ERROR.test(line) && !NONE.test(line)) open = [line.trim()];
  }
  close();
  return errors.slice(-MAX_ERRORS);
}
