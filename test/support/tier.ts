import { spawnSync } from 'node:child_process';

/** Exhaustive sets are cut into so many parts, and `npm test` takes one of them: always the same. */
export const TENTHS = 10;

/** The seed of `npm test`, and of a slice without git. */
const FIXED_SEED = 20_261;

export interface Tier {
  readonly seed: number;
  /** The part of every exhaustive set that is taken, from 0 on; null: all of them. */
  readonly tenth: number | null;
  /** What takes turns rests: the same tests at every commit. */
  readonly isFixed: boolean;
}

/**
 * How much of every exhaustive set the tests take, and by which seed: `TEST_SEED` and `TEST_TENTH` (a digit, or `all`).
 * Without them the tests are the same at every commit.
 */
export function tierOf({ TEST_SEED, TEST_TENTH }: NodeJS.ProcessEnv): Tier {
  const seed =
    TEST_SEED === undefined || TEST_SEED === '' ? FIXED_SEED : wholeNumber('TEST_SEED', TEST_SEED, 2 ** 31 - 1);
  if (TEST_TENTH === 'all') return { seed, tenth: null, isFixed: false };
  if (TEST_TENTH === undefined || TEST_TENTH === '') return { seed, tenth: seed % TENTHS, isFixed: true };
  return { seed, tenth: wholeNumber('TEST_TENTH', TEST_TENTH, TENTHS - 1), isFixed: false };
}

/** The tier that a slice begins with: it follows from the commit, so that each commit is tried on another one. */
export function tierOfCommit(env: NodeJS.ProcessEnv, folder: string): Tier {
  const { TEST_SEED } = env;
  const { seed } = TEST_SEED === undefined || TEST_SEED === '' ? { seed: seedOfCommit(folder) } : tierOf(env);
  return { seed, tenth: seed % TENTHS, isFixed: false };
}

/** How the same tests are run again. */
export const repeating = ({ seed, tenth, isFixed }: Tier): string =>
  isFixed ? `TEST_SEED=${seed}` : `TEST_SEED=${seed} TEST_TENTH=${tenth ?? 'all'}`;

export function tierInWords(tier: Tier): string {
  const share = tier.tenth === null ? 'all' : `tenth ${tier.tenth}`;
  const rest = tier.isFixed ? ', as at every commit' : '';
  return `${share} of every exhaustive set${rest}, seed ${tier.seed}; again with ${repeating(tier)}`;
}

function seedOfCommit(folder: string): number {
  const { status, stdout } = spawnSync('git', ['-c', 'safe.directory=*', 'rev-parse', 'HEAD'], {
    cwd: folder,
    encoding: 'utf8',
  });
  return status === 0 ? Number.parseInt(stdout.slice(0, 7), 16) : FIXED_SEED;
}

function wholeNumber(name: string, text: string, most: number): number {
  const number = Number(text);
  if (/^\d+$/.test(text) && number <= most) return number;
  throw new RangeError(
    `${name}=${text} is not a whole number from 0 to ${most}. Give one${name === 'TEST_TENTH' ? ', or all' : ''}.`,
  );
}
