import { MODEL_UNKNOWN, type Outcome } from '../../../machines/outcome.ts';
import { WORKTREE_FAULTS } from '../../actors/worktree-codes.ts';
import { isDone } from '../../projections/phrases.ts';
import { CANNOT_CHECK, NO_GIT } from '../../evidence/cannot-run.ts';
import type { Obstacle } from '../../app/running/obstacle.ts';

/** Reports what was left undone when the process exits with a status, and returns the status to exit with. */
type Teller = (status: number) => number;

let innermost: Teller | null = null;

/**
 * Until the returned function is called, an exit of this process is an early one: a loaded module called exit, or no
 * work is left to wait for. The newest teller is called; it has to write synchronously.
 */
export function onEarlyExit(teller: Teller): () => void {
  const outer = innermost;
  innermost = teller;
  if (!outer) process.on('exit', hear);
  return () => {
    innermost = outer;
    if (!outer) process.off('exit', hear);
  };
}

/** Ends the process on purpose, after all output. */
export function exitNow(status: number): never {
  innermost = null;
  process.exit(status);
}

function hear(status: number): void {
  if (innermost) process.exitCode = innermost(status);
}

/** The exit statuses. Scripts rely on them. */
export const EXIT = {
  success: 0,
  internal: 1,
  usage: 2,
  authentication: 3,
  provider: 4,
  environment: 5,
  held: 6,
  log: 7,
  cap_hit: 10,
  doom_loop: 11,
  budget: 12,
  abort: 13,
  waiting: 14,
  paused: 15,
  unverified: 16,
  owed: 17,
} as const;

export type StoppingSignal = 'SIGINT' | 'SIGTERM' | 'SIGHUP';
export const SIGNAL_EXIT: { readonly [signal in StoppingSignal]: number } = { SIGHUP: 129, SIGINT: 130, SIGTERM: 143 };

export const OBSTACLE_EXIT: { readonly [obstacle in Obstacle]: number } = {
  request: EXIT.usage,
  authentication: EXIT.authentication,
  environment: EXIT.environment,
  held: EXIT.held,
  log: EXIT.log,
};

/** Faults that only the user can fix: their codes, as a model's actor or the guard of a worktree records them. */
const FAULT_EXIT: ReadonlyMap<string, number> = new Map([
  ['authentication', EXIT.authentication],
  ['provider_unavailable', EXIT.provider],
  [MODEL_UNKNOWN, EXIT.usage],
  [CANNOT_CHECK, EXIT.environment],
  [NO_GIT, EXIT.environment],
  [WORKTREE_FAULTS.gone, EXIT.environment],
  [WORKTREE_FAULTS.shared, EXIT.environment],
]);

/** The status of a run that has ended: 0 where its checks passed with a grade that is enough, or there were none. */
export function exitOf(outcome: Outcome, checksAsked: boolean): number {
  switch (outcome.ending) {
    case 'success':
      return isDone(outcome, checksAsked) ? EXIT.success : EXIT.unverified;
    case 'abort':
      return FAULT_EXIT.get(outcome.fault?.code ?? '') ?? EXIT.abort;
    default:
      return EXIT[outcome.ending];
  }
}

export const EXIT_TABLE = `Exit status:
   0  success: witnessed, approved, or enough by --accept; or no checks
   1  internal error                 2  usage or configuration
   3  authentication                 4  provider unavailable
   5  environment (no git, no log)   6  run or workspace held by another
   7  log damaged or diverged       10  cap_hit
  11  doom_loop                     12  budget
  13  abort                         14  waiting for a person
  15  paused                        16  finished: in part, or not enough is shown
  17  deliver: reports still owed
 130  Ctrl-C, 143 SIGTERM, 129 SIGHUP (paused)`;
