import { normalisedError } from '../../../detectors/error-identity.ts';
import { amount } from '../../../text/money.ts';
import { head } from '../../../text/excerpt.ts';
import type { ReportedError } from '../../../ports/effect-records.ts';
import { type Found, RULE_SCORES } from './finding-facts.ts';

const TITLES = { logs: 'Error in a log', runs: 'Error in recorded runs' };
const MAX_PLACES = 5;
const MAX_TEXT_CHARS = 2_500;
const MAX_TITLE_CHARS = 140;

/**
 * Errors of logs or of runs, each kind once: two that differ in times, addresses, paths and numbers of lines are of one
 * kind, as for the detector `failures`.
 */
export function repeatedErrors(source: 'logs' | 'runs', errors: readonly ReportedError[]): readonly Found[] {
  const kinds = new Map<string, ReportedError[]>();
  for (const error of errors) {
    // Below the first line of an error in a log stands its stack, which may differ from time to time.
    const kind = normalisedError(source === 'logs' ? firstLine(error.text) : error.text);
    if (kind === '') continue;
    const same = kinds.get(kind);
    if (same) same.push(error);
    else kinds.set(kind, [error]);
  }
  return [...kinds].map(([kind, same]): Found => {
    const [first = { text: kind, where: '' }] = same;
    const places = [...new Set(same.map(({ where }) => where))];
    const shown = places.slice(0, MAX_PLACES).join(', ');
    const more = places.length > MAX_PLACES ? ', …' : '';
    return {
      source,
      title: `${TITLES[source]}: ${head(firstLine(first.text), MAX_TITLE_CHARS)}`,
      summary: `Reported ${amount(same.length, 'time')}, in ${shown}${more}:\n${head(first.text, MAX_TEXT_CHARS)}`,
      score: same.length > 1 ? RULE_SCORES.repeatedError : RULE_SCORES.singleError,
      identity: kind,
    };
  });
}

const firstLine = (text: string): string => text.trimStart().split('\n', 1)[0] ?? '';
