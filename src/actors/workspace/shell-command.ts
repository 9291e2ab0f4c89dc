import type { GitStart } from './git-child.ts';
import { quoted, quotedAll } from '../../text/shell-words.ts';
import { carried } from './shell-environment.ts';

/** Longer ones are not worth it: a shell reads them in small pieces. */
const MAX_COMMAND_BYTES = 64 * 1024;

/**
 * A call of git as a command of a shell that was started with an environment. On stdout and on stderr a line with the
 * mark comes before what git prints, and the mark with the exit code after it. Null: a shell should not get it.
 *
 * Every program that it starts costs as much as half of git: the shell does itself what it can.
 */
export function shellCommand(request: GitStart, mark: string, started: NodeJS.ProcessEnv): string | null {
  const { args, script, environment, input } = request;
  const { unset, exported, others } = carried(environment, started);
  const words = ['git', ...args];
  const said = [...(script?.parameters ?? []), ...words, ...exported, ...others];
  if (said.some((word) => word.includes('\0')) || (input?.length ?? 0) > MAX_COMMAND_BYTES) return null;
  // Without a PATH a shell finds nothing, and `env` what the system has.
  const byEnv = others.length > 0 || environment['PATH'] === undefined;
  const git = byEnv ? ['/usr/bin/env', ...others, ...words] : words;
  const run = script
    ? `set -- ${quotedAll([...script.parameters, ...git])}\n${script.lines}\n`
    : `exec ${quotedAll(git)}`;
  const before = [
    inFolder(),
    unset.length > 0 ? `unset ${unset.join(' ')};` : '',
    exported.length > 0 ? `export ${exported.map(assigned).join(' ')};` : '',
  ].join('');
  const fed = input?.length ? `printf '%b' '${escaped(input)}' | (${before}${run})` : `(${before}${run}) </dev/null`;
  const command = `echo ${mark}; echo ${mark} >&2; ${fed}; echo ${mark} $?; echo ${mark} 0 >&2\n`;
  return Buffer.byteLength(command) > MAX_COMMAND_BYTES ? null : command;
}

function assigned(variable: string): string {
  const at = variable.indexOf('=') + 1;
  return variable.slice(0, at) + quoted(variable.slice(at));
}

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
