import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { environment, MAIN } from './program.ts';

/** Some systems let no process have mounts of its own. */
export const canMount = spawnSync('unshare', ['-rm', 'true']).status === 0;
/** Starts a program that may have mounts of its own. */
export const OWN_MOUNTS = ['unshare', '-rm'];

/** The program with these words, for a shell, which prints its status after it. */
export const quoted = (...words: readonly string[]): string =>
  `${[process.execPath, MAIN, ...words].map((word) => `'${word}'`).join(' ')} 2>&1; echo "status $?"`;

/** What commands of a shell print. `within`: the program that starts the shell. */
export async function shellOutput(
  cwd: string,
  within: readonly string[],
  commands: readonly string[],
  variables: Readonly<Record<string, string>> = {},
): Promise<string> {
  const [file = '', ...before] = within;
  const child = spawn(file, [...before, 'sh', '-c', commands.join('\n')], {
    cwd,
    env: environment(variables),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.setEncoding('utf8').on('data', (text: string) => (said += text));
  await once(child, 'close');
  return said;
}
