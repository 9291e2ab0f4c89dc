import { type ChildProcess, spawn } from 'node:child_process';
import type { Writable } from 'node:stream';
import { PROCESS_TOKEN } from './command-mark.ts';
import { ownEnvironment } from '../text/own-programs.ts';

/**
 * Keeps a list of process groups: `+GROUP` adds one, `-GROUP` takes it away. When its input ends, the process
 * that wrote it has ended, perhaps by `kill -9`: it then kills the groups that are still on the list, and the processes
 * that carry its token ($1) in their environment: they have left their group. One search reads all of them: a machine
 * has hundreds.
 */
const GUARD = `
groups=' '
while read -r line; do
  group="\${line#?}"
  case "$line" in
    +*) groups="$groups$group " ;;
    -*) case "$groups" in *" $group "*) groups="\${groups%%" $group "*} \${groups#*" $group "}" ;; esac ;;
  esac
done
for group in $groups; do kill -s KILL -- "-$group" 2>/dev/null; done
grep -ls "$1" /proc/[0-9]*/environ | while read -r found; do
  process="\${found#/proc/}"
  kill -s KILL "\${process%/environ}" 2>/dev/null
done
`;

let guard: ChildProcess | null = null;

/** Sees to it that a group does not outlive this process, however it ends. Call the result once the group is gone. */
export function guardGroup(group: number): () => void {
  const input = guarding().stdin;
  input?.write(`+${group}\n`);
  return () => input?.write(`-${group}\n`);
}

/** The same for a group that waits to begin: where nothing guards it, it is ended, and the error is thrown. */
export function guardOrEnd(group: number): () => void {
  try {
    return guardGroup(group);
  } catch (error) {
    process.kill(-group, 'SIGKILL');
    throw error;
  }
}

/** One guard serves the whole process. It is in a session of its own, so that nothing sent to ours reaches it. */
function guarding(): ChildProcess {
  if (guard) return guard;
  const started = spawn('/bin/sh', ['-c', GUARD, 'sh', PROCESS_TOKEN], {
    cwd: '/',
    // Every command of an agent could read it.
    env: ownEnvironment(),
    detached: true,
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // Without files for its pipes there is no process, and no input either. The error is told by an event, too late.
  if (!(started.stdin as Writable | null | undefined)) {
    started.once('error', () => {});
    throw Object.assign(new Error('the guard of commands has no files left for its pipes'), { code: 'EMFILE' });
  }
  guard = started;
  const lost = () => {
    if (guard === started) guard = null;
  };
  started.once('error', lost).once('exit', lost).unref();
  started.stdin.once('error', lost);
  // A pipe is a socket here; it must not keep the process open any more than the guard itself.
  if ('unref' in started.stdin && typeof started.stdin.unref === 'function') started.stdin.unref();
  return started;
}
