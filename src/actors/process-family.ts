import { readFileSync, readdirSync } from 'node:fs';
import { statFields, timesOf } from './process-stat.ts';

// Synchronous: the kernel answers from memory, in less time than it takes to hand the question to another thread.

/** CPU time of all children of this process that have ended so far. NaN: the system does not tell. */
export const waitedForMs = (): number =>
  process.platform === 'linux' ? timesOf(toldOf('self', 'stat')).childrenMs : NaN;

/** The first process of a command, before the command begins. */
export interface Founder {
  /** The leader of a session, with no children so far. */
  readonly leader: number;
  /** In the environment of whatever it starts. */
  readonly mark: string;
}

/** A command's first process, and whatever it has started: in its session, below one of its processes, or marked. */
export class ProcessFamily {
  readonly #founder: Founder;
  #members: ReadonlySet<number>;
  /** No process joins a family later, so these need no second look. */
  #others: ReadonlySet<number>;

  constructor(founder: Founder) {
    this.#founder = founder;
    this.#members = new Set([founder.leader]);
    this.#others = new Set(listed().filter((pid) => pid !== founder.leader));
  }

  /** CPU time of the members that there are now, and of those that they have waited for. NaN: not told. */
  cpuMs(): number {
    const pids = listed();
    if (pids.length === 0) return NaN;
    const others = new Set<number>();
    const members = new Set<number>();
    let sum = 0;
    // By number, so nearly always parents first. One that ends meanwhile is counted late then, and not twice.
    for (const pid of pids) {
      if (this.#others.has(pid)) {
        others.add(pid);
        continue;
      }
      const stat = toldOf(pid, 'stat');
      if (stat === '') continue;
      const isMember = this.#members.has(pid) || this.#isNew(pid, stat, members);
      (isMember ? members : others).add(pid);
      if (isMember) sum += cpuMsOf(stat);
    }
    this.#members = members;
    this.#others = others;
    return sum;
  }

  /** The same of the members that the last look has found. It takes no list of all processes. */
  knownCpuMs(): number {
    return [...this.#members].reduce((sum, pid) => sum + cpuMsOf(toldOf(pid, 'stat')), 0);
  }

  #isNew(pid: number, stat: string, members: ReadonlySet<number>): boolean {
    const { leader, mark } = this.#founder;
    const [, parent = 0, , session] = statFields(stat).map(Number);
    return session === leader || members.has(parent) || toldOf(pid, 'environ').includes(mark);
  }
}

function listed(): readonly number[] {
  try {
    return readdirSync('/proc').map(Number).filter(Number.isInteger);
  } catch {
    return [];
  }
}

function cpuMsOf(stat: string): number {
  const { ownMs, childrenMs } = timesOf(stat);
  return Number.isNaN(ownMs + childrenMs) ? 0 : ownMs + childrenMs;
}

/** Empty for a process that is gone, or hidden. */
function toldOf(pid: number | 'self', file: 'stat' | 'environ'): string {
  try {
    return readFileSync(`/proc/${pid}/${file}`, 'latin1');
  } catch {
    return '';
  }
}
