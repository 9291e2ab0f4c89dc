// Runs one command after another in the same process, as its parent sends them: none pays for a start.
import { call } from '../../src/cli/call.ts';
import type { Ended } from './program.ts';

/** One command. The parent waits for its answer before it sends the next. */
export interface Command {
  /** What stands first in `process.argv` of a process of its own. */
  readonly file: string;
  readonly words: readonly string[];
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
}

const { stdout, stderr } = process;
const said = { stdout: '', stderr: '' };
const collect = (stream: keyof typeof said) => (chunk: string | Uint8Array, taken?: unknown) => {
  said[stream] += typeof chunk === 'string' ? chunk : Buffer.from(chunk).toString();
  if (typeof taken === 'function') taken();
  return true;
};
stdout.write = collect('stdout');
stderr.write = collect('stderr');

process.on('message', async ({ file, words, cwd, env }: Command) => {
  process.chdir(cwd);
  process.argv = [process.execPath, file, ...words];
  for (const name of Object.keys(process.env)) delete process.env[name];
  Object.assign(process.env, env);
  Object.assign(said, { stdout: '', stderr: '' });
  const status = await call(words);
  process.send?.({ status, ...said } satisfies Ended);
});
process.on('disconnect', () => process.exit());
