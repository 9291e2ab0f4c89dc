import type { GitStart } from './git-child.ts';

/** Longer ones are not worth it: they are read by a shell, byte by byte. */
const MAX_COMMAND_BYTES = 64 * 1024;

/**
 * A call of git as a command of a shell. On stdout and on stderr a line with the mark comes before what git prints, and
 * the mark with the exit code after it. Null: a shell should not get it.
 */
export function shellCommand({ args, script, environment, input }: GitStart, mark: string): string | null {
  const program = script
    ? ['/bin/sh', '-c', script.lines, 'sh', ...script.parameters, 'git', ...args]
    : ['git', ...args];
  const variables = Object.entries(environment).flatMap(([name, value]) =>
    value === undefined ? [] : `${name}=${value}`,
  );
  const words = ['/usr/bin/env', '-i', ...variables, ...program];
  if (words.some((word) => word.includes('\0')) || (input?.length ?? 0) > MAX_COMMAND_BYTES) return null;
  const started = `(${inFolder()} exec 3<&- ${words.map(quoted).join(' ')})`;
  const git = input?.length ? `printf '%b' '${escaped(input)}' | ${started}` : `${started} </dev/null`;
  const command = `echo ${mark}; echo ${mark} >&2; ${git}; echo ${mark} $?; echo ${mark} 0 >&2`;
  return Buffer.byteLength(command) > MAX_COMMAND_BYTES ? null : command;
}

const quoted = (word: string): string => `'${word.replaceAll("'", "'\\''")}'`;

/** Bytes as `%b` of printf reads them. */
const escaped = (bytes: Uint8Array): string =>
  Buffer.from(bytes)
    .toString('latin1')
    .replace(/[^\w ./:,=-]/g, (byte) => `\\0${byte.charCodeAt(0).toString(8).padStart(3, '0')}`);

/** A shell stays where it was started; this process may be elsewhere, or in a folder that is gone. */
function inFolder(): string {
  try {
    return `cd ${quoted(process.cwd())};`;
  } catch {
    return '';
  }
}
