import { spawnSync } from 'node:child_process';

/** Exhaustive sets are cut into so many parts, and `npm test` takes one of them. */
export const TENTHS = 10;

/** The seed without git and without `TEST_SEED`. */
const FALLBACK_SEED = 20_261;

export interface Tier {
  readonly seed: number;
  /** The part of every exhaustive set that is taken, from 0 on; null: all of them. */
  readonly tenth: number | null;
}

/**
 * How much of every exhaustive set the tests take, and by which seed: `TEST_SEED` and `TEST_TENTH` (a digit, or `all`).
 * Without them the seed is that of the commit, and the tenth follows from the seed: each commit is tried on another
 * one.
 */
export function tierOf({ TEST_SEED, TEST_TENTH }: NodeJS.ProcessEnv, folder: string): Tier {
  const seed =
    TEST_SEED === undefined || TEST_SEED === ''
      ? seedOfCommit(folder)
      : wholeNumber('TEST_SEED', TEST_SEED, 2 ** 31 - 1);
  if (TEST_TENTH === 'all') return { seed, tenth: null };
  const tenth =
    TEST_TENTH === undefined || TEST_TENTH === '' ? seed % TENTHS : wholeNumber('TEST_TENTH', TEST_TENTH, TENTHS - 1);
  return { seed, tenth };
}

/** How the same tests are run again. */
export const repeating = ({ seed, tenth }: Tier): string => `TEST_SEED=${seed} TEST_TENTH=${tenth ?? 'all'}`;

export function tierInWords(tier: Tier): string {
  const share = tier.tenth === null ? 'all' : `tenth ${tier.tenth}`;
  return `${share} of every exhaustive set, seed ${tier.seed}; again with ${repeating(tier)}`;
}

function seedOfCommit(folder: string): number {
  const { status, stdout } = spawnSync('git', ['-c', 'safe.directory=*', 'rev-parse', 'HEAD'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return status === 0 ? Number.parseInt(stdout.slice(0, 7), 16) : FALLBACK_SEED;
}

function wholeNumber(name: string, text: string, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new RangeError(
    `${name}=${text} is not a whole number from 0 to ${most}. Give one${name === 'TEST_TENTH' ? ', or all' : ''}.`,
  );
}
