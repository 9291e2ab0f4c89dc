import type { ChildProcess } from 'node:child_process';

/** Between asking a group to end and making it: git may remove its lock files. */
const KILL_GRACE_MS = 2_000;

/** Ends a process with all of its group. Returns what is to be called when it has ended. */
export function endGroup(child: ChildProcess): () => void {
  signalGroup(child, 'SIGTERM');
  const killing = setTimeout(() => {
    signalGroup(child, 'SIGKILL');
    // What has left the group may hold them open.
    for (const stream of child.stdio) stream?.destroy();
  }, KILL_GRACE_MS);
  return () => clearTimeout(killing);
}

const running = new Set<ChildProcess>();

/** A group is told to end when this process exits: git then removes its lock files. One listener serves all. */
export function endedOnExit(child: ChildProcess): () => void {
  if (running.size === 0) process.on('exit', endAll);
  running.add(child);
  return () => {
    running.delete(child);
    if (running.size === 0) process.off('exit', endAll);
  };
}

function endAll(): void {
  for (const child of running) signalGroup(child, 'SIGTERM');
}

function signalGroup({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    if (pid !== undefined) process.kill(-pid, signal);
  } catch {
    // Its group has ended.
  }
}
