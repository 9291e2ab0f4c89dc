import { hash } from 'node:crypto';
import { z } from 'zod';
import type { Finding } from '../../machines/outcome.ts';
import { head } from '../text/excerpt.ts';
import { failedChecks } from '../strategies/report.ts';
import { whole } from '../strategies/numbers.ts';
import type { Detector, Noticed } from './detector.ts';
import { normalisedError } from './error-identity.ts';
import { withEvidence } from './evidence-ids.ts';
import { type EndedIteration, followed, type Iterating, ITERATIONS, NOT_ITERATING } from './iteration-end.ts';
import { detectorKind } from './detector-kind.ts';

const MAX_MESSAGE_CHARS = 200;

/** Iterations in a row with the same failure, and the newest of them as evidence. */
interface Streak {
  readonly count: number;
  readonly evidence: readonly string[];
}

export interface Failing {
  readonly iterating: Iterating;
  readonly failed: Streak;
  readonly same: Streak;
  /** Digest of the newest error. */
  readonly error: string | null;
}

const CONFIG = z.strictObject({
  iterations: whole(2, 'iterations').default(5),
  sameError: whole(2, 'iterations').default(3),
});
const NONE: Streak = { count: 0, evidence: [] };

/**
 * D9: attempts in a row end without success, or the same error comes iteration after iteration. The error is the limit
 * or finding that ended the attempt, or the output of the failed checks, without times, addresses, paths and line
 * numbers.
 */
export function failures(config: z.output<typeof CONFIG> = CONFIG.parse({})): Detector<Failing> {
  return {
    name: 'failures',
    sees: ITERATIONS,
    init: () => ({ iterating: NOT_ITERATING, failed: NONE, same: NONE, error: null }),
    step: (before, event): Noticed<Failing> => {
      const { state: iterating, ended } = followed(before.iterating, event);
      if (!ended) return { state: { ...before, iterating } };
      const text = errorOf(ended);
      const error = text === null ? null : hash('sha256', normalisedError(text)).slice(0, 16);
      const failed = ended.succeeded ? NONE : longer(before.failed, ended.id, config.iterations);
      const same =
        error === null ? NONE : longer(error === before.error ? before.same : NONE, ended.id, config.sameError);
      const state = { iterating, failed, same, error };
      if (same.count >= config.sameError) {
        return {
          state,
          finding: stop(
            same,
            `the same error ${same.count} iterations in a row: ${head(text ?? '', MAX_MESSAGE_CHARS)}`,
          ),
        };
      }
      if (failed.count < config.iterations) return { state };
      return { state, finding: stop(failed, `${failed.count} attempts in a row ended without success`) };
    },
  };
}

function errorOf({ succeeded, error, report }: EndedIteration): string | null {
  if (!succeeded) return error;
  const failed = failedChecks(report).map(({ level, name, output }) => `${level}/${name}: ${output}`);
  return failed.length > 0 ? failed.join('\n') : null;
}

const longer = ({ count, evidence }: Streak, id: string, keep: number): Streak => ({
  count: count + 1,
  evidence: withEvidence(evidence, id, keep),
});

const stop = ({ count, evidence }: Streak, message: string): Finding => ({
  detector: 'failures',
  level: 'stop',
  count,
  message,
  evidence: [...evidence],
});

export const failuresKind = detectorKind({
  name: 'failures',
  row: 'D9',
  notices: 'attempts end without success, or with the same error iteration after iteration',
  config: CONFIG,
  create: (config) => failures(config),
});
