import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Holder } from './lease-store.ts';

let ownStart: string | undefined;
let ownPlace: string | undefined;

/**
 * This process as the holder of one more lease: every call has a token of its own.
 *
 * @example
 * const taken = await log.acquire(run, thisProcess());
 */
export function thisProcess(): Holder {
  ownStart ??= startOf(process.pid) ?? '';
  return { host: place(), pid: process.pid, processStart: ownStart, token: randomUUID() };
}

/** Whether the pid of a holder means a process that this one can see. */
export const isHere = ({ host, processStart }: Holder): boolean => host === place() && processStart !== '';

/** True when the holder ran in this place and is gone. Of other places nothing is known but the lease's age. */
export function isKnownDead(holder: Holder): boolean {
  return isHere(holder) && startOf(holder.pid) !== holder.processStart;
}

/**
 * `isKnownDead`, where a lease is taken at once. The machine was started anew since a holder of another boot took its
 * lease; or that one works on another machine of the same name, and renews it: which of the two shows when it expires.
 */
export function isDeadInThisBoot(holder: Holder): boolean {
  const [then, now] = [bootOf(holder), bootOf(thisProcess())];
  return isKnownDead(holder) && (then === undefined || now === undefined || then === now);
}

const bootOf = ({ processStart }: Holder): string | undefined => processStart.split('@')[1];

/**
 * Where a pid and a start mean a process: containers may share a host's name, and each counts its processes, and some
 * their time, anew.
 */
function place(): string {
  const time = namespace('time');
  const ofTime = time === TIME_OF_HOST ? null : time;
  return (ownPlace ??= [hostname(), namespace('pid'), ofTime].filter((part) => part !== null).join(' '));
}

/** The same on every Linux: the name of the namespace that counts from the start of the machine. */
const TIME_OF_HOST = 'time:[4026531834]';

/** As in `pid:[4026531836]`, or null on a system that has none. */
function namespace(kind: 'pid' | 'time'): string | null {
  try {
    return readlinkSync(`/proc/self/ns/${kind}`);
  } catch {
    return null;
  }
}

/** When a process started, as its system says it, or null when it does not run. Only good for comparing. */
export function startOf(pid: number): string | null {
  const boot = contentOf('/proc/sys/kernel/random/boot_id');
  return boot === null ? startFromPs(pid) : startFromProc(pid, boot.trim());
}

function startFromProc(pid: number, boot: string): string | null {
  const stat = contentOf(`/proc/${pid}/stat`);
  if (stat === null) return null;
  // The command's name comes second, in parentheses, and may hold anything: fields are counted from behind it.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  const [state, start] = [fields[0], fields[19]];
  return state === 'Z' || state === 'X' || start === undefined ? null : `${start}@${boot}`;
}

/** Whether a process is stopped, as by Ctrl-Z: it does nothing until a signal continues it. Null: unknown here. */
export function isStopped(pid: number): boolean | null {
  const stat = contentOf(`/proc/${pid}/stat`);
  return stat === null ? null : /^[Tt]/.test(stat.slice(stat.lastIndexOf(')') + 2));
}

/** Whether a process has a file open, under any of its names. Null: that cannot be told here. */
export function hasOpen(pid: number, file: string): boolean | null {
  try {
    const { dev, ino } = statSync(file);
    return readdirSync(`/proc/${pid}/fd`).some((descriptor) => {
      const open = statSync(`/proc/${pid}/fd/${descriptor}`, { throwIfNoEntry: false });
      return open?.dev === dev && open.ino === ino;
    });
  } catch {
    return null;
  }
}

/** What a system without `/proc` says. */
export function startFromPs(pid: number): string | null {
  // The start is printed in local time, which may differ between two shells of one machine.
  const env = { PATH: process.env['PATH'], LC_ALL: 'C', TZ: 'UTC' };
  const { stdout, status } = spawnSync('ps', ['-o', 'stat=,lstart=', '-p', String(pid)], { encoding: 'utf8', env });
  const [state = '', ...start] = status === 0 ? stdout.trim().split(/\s+/) : [];
  return state === '' || state.startsWith('Z') ? null : start.join(' ');
}

function contentOf(file: string): string | null {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return null;
  }
}
