import { dirname } from 'node:path';
import { UNATTENDED } from './agent-shell.ts';
import { placeAround } from '../git/worktree/worktree-place.ts';

/** The environment variables that a command gets. The rest may hold keys and tokens. */
const PASSED_ENVIRONMENT = /^(PATH|HOME|LANG|LC_.+|TERM|TMPDIR|USER|SHELL)$/;

interface EnvironmentRequest {
  readonly directory: string;
  readonly environment?: Readonly<Record<string, string>> | undefined;
  readonly passes?: readonly string[] | undefined;
}

/** Returns the variables of a command, but for its mark. */
export function commandEnvironment({ directory, environment, passes = [] }: EnvironmentRequest): NodeJS.ProcessEnv {
  const passed = Object.entries(process.env).filter(([name]) => PASSED_ENVIRONMENT.test(name) || passes.includes(name));
  return { ...UNATTENDED, ...Object.fromEntries(passed), ...gitCeiling(directory), ...environment };
}

/**
 * A run's own worktree lies inside the project: where its repository is removed or broken, git would look further up
 * and take the user's.
 */
function gitCeiling(directory: string): Readonly<Record<string, string>> {
  const around = placeAround(directory);
  return around === null ? {} : { GIT_CEILING_DIRECTORIES: dirname(around.top) };
}
