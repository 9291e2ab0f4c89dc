import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Ended, MODEL } from '../cli/program.ts';
import { loopfold } from '../cli/warm-process.ts';

export const FILE = '.claude/ralph-loop.local.md';
const PROMISE = '<promise>TASK COMPLETE</promise>';
export const JSON_FORMAT = ['--output-format', 'json'] as const;
/** No error can be planted for such a check, so that a success by it is taken as it is. */
export const CHECK = ['--verify', 'test "$(cat sum.txt)" = 3', '--accept', 'verified'] as const;

export const shell = (command: string) => ({ tool: 'shell', arguments: { command } });
export const wrote = (text: string, more: string[] = []) => ({
  answers: [{ calls: [shell(`echo ${text} > sum.txt`), ...more.map(shell)] }, { text: `Done.\n\n${PROMISE}` }],
});
export const QUESTION = { tool: 'ask_user', arguments: { question: 'Which number?' } };

export const stateIn = (cwd: string): Promise<string> => readFile(join(cwd, FILE), 'utf8');
export const edit = async (cwd: string, from: string | RegExp, to: string): Promise<void> =>
  writeFile(join(cwd, FILE), (await stateIn(cwd)).replace(from, to));

export const run = (cwd: string, ...words: readonly string[]): Promise<Ended> =>
  loopfold(['run', 'Write 3 into sum.txt.', ...MODEL, ...CHECK, ...words, ...JSON_FORMAT], { cwd });
