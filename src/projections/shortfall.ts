import { uncontrolledChecks } from '../evidence/enough.ts';
import { flagOf } from '../options/option-names.ts';
import { oneLine } from './phrases.ts';
import type { RunSummary } from './run-summary.ts';

const MAX_CHECKS = 5;
const MAX_NAME_CHARS = 80;

/**
 * Returns why a `verified` success is not enough, and what would make it so. Null: it is, or it is weak, and has its
 * reasons.
 */
export function shortfallOf({ ending, verification }: Pick<RunSummary, 'ending' | 'verification'>): string | null {
  const outcome = ending?.outcome;
  const verified = outcome?.ending === 'success' ? outcome.verified : null;
  if (verified?.grade !== 'verified' || verified.enough !== false) return null;
  if (verification?.version !== verified.version) return null;
  const checks = uncontrolledChecks(verification.proof?.controls);
  const named = checks.slice(0, MAX_CHECKS).map((check) => oneLine(check, MAX_NAME_CHARS));
  const more = checks.length > named.length ? ` and ${checks.length - named.length} more` : '';
  const which = named.length === 0 ? 'any check' : `${named.join(', ')}${more}`;
  return `not enough: no planted error was found by ${which}; ${flagOf('accept')} verified takes such a success`;
}
