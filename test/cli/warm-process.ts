import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { bundled, compileCache, YOUNG_GENERATION } from '../support/bundled.ts';
import { type Ended, environment, type How, MAIN } from './program.ts';
import type { Command } from './warm.process.ts';

/** Processes without a command, by the program they run. They end with this one. */
const idle = new Map<string, ChildProcess[]>();

type Asked = Pick<How, 'cwd' | 'env' | 'file'>;

/**
 * A command in a process that has run others before it, which takes a third of the time of a start. It is for tests of
 * what a command prints, answers and records. A test of the process (its streams, signals, input, threads or end), or
 * of modules that it loads, takes the `loopfold` of `program.ts`.
 */
export async function loopfold(words: readonly string[], { cwd, env, file = MAIN }: Asked): Promise<Ended> {
  const free = idle.get(file) ?? [];
  idle.set(file, free);
  const warm = free.pop() ?? started(file);
  const over = new AbortController();
  const { signal } = over;
  try {
    warm.send({ file, words, cwd, env: environment(env) } satisfies Command);
    const [answer] = await Promise.race([once(warm, 'message', { signal }), once(warm, 'exit', { signal })]);
    if (typeof answer !== 'object' || answer === null) throw new Error(`loopfold ${words.join(' ')} ended its process`);
    free.push(warm);
    return answer as Ended;
  } finally {
    over.abort();
  }
}

/** Next to a program that is no bundle, in a copy of the sources, lies a copy of this one. */
const processOf = (file: string): string =>
  file === MAIN ? bundled('test/cli/warm.process.ts') : join(file, '../../../test/cli/warm.process.ts');

function started(file: string): ChildProcess {
  const warm = spawn(process.execPath, [...YOUNG_GENERATION, NO_SQLITE_WARNING, processOf(file)], {
    env: environment(compileCache),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  // They do not keep the process of the tests from ending.
  warm.unref();
  warm.channel?.unref();
  return warm;
}

/** The program leaves this warning out where it starts. */
const NO_SQLITE_WARNING = '--disable-warning=ExperimentalWarning';
