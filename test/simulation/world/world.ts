import { shippedLoops } from '../../../src/loops/index.ts';
import { Supervisor } from '../../../src/runtime/supervisor.ts';
import { acknowledging } from './acknowledging.ts';
import { connect, viewOf } from './connection.ts';
import { DrawnWorld } from './drawn-world.ts';
import { LeaseHolders } from './lease-holders.ts';
import { Oracle } from './oracle.ts';
import type { Seams } from './seams.ts';
import { simulatedHandlers } from './simulated-handlers.ts';
import { SimulatedProcess } from './simulated-process.ts';
import { COMMIT_ORDER, SimulatedStore } from './simulated-store.ts';
import { Trace } from './trace.ts';
import { VirtualTime } from './virtual-time.ts';

const START = Date.parse('2030-01-01T00:00:00.000Z');

/** One machine with its disk, its clock and its processes, all drawn from a seed. */
export class World {
  readonly time = new VirtualTime();
  readonly trace = new Trace(this.time);
  readonly drawn: DrawnWorld;
  readonly store: SimulatedStore;
  readonly oracle: Oracle;
  crashes = 0;
  /** Asked before each step of each process. */
  meeting: (process: SimulatedProcess, step: string) => void = () => {};
  readonly #seams: Seams;
  readonly #holders = new LeaseHolders();
  #processes: SimulatedProcess[] = [];
  #names = 0;
  #clockOffset = 0;

  constructor(seed: number, seams: Seams = {}) {
    this.#seams = seams;
    this.drawn = new DrawnWorld(seed, seams.plan);
    this.store = new SimulatedStore({
      disk: this.drawn.disk,
      chance: this.drawn.chance.apart(),
      commitOrder: seams.commitOrder ?? (() => COMMIT_ORDER),
      wallClock: () => this.wallClock(),
      meetsLock: (process) => this.#meetsFault(process),
      committed: (process, record) => {
        if (record.kind === 'append') this.trace.events(process.name, record.request.run, record.request.events);
        this.oracle.committed(process, record);
      },
      reopened: () => this.oracle.reopened(),
      found: () => this.oracle.found(),
    });
    const { aroundLog = asItIs, loops = shippedLoops } = seams;
    this.oracle = new Oracle({
      loops,
      tables: () => this.store.tables,
      view: () => aroundLog(viewOf(this.store.tables), this),
      processOf: (holder) => this.#holders.processOf(holder),
    });
  }

  /** What the clock on the wall says: it may jump, and virtual time does not. */
  wallClock(): number {
    return START + Math.floor(this.time.now) + this.#clockOffset;
  }

  jumpClock(milliseconds: number): void {
    this.trace.note('clock', `jumps by ${milliseconds} ms`);
    this.#clockOffset += milliseconds;
  }

  /** A new process of this machine, and its supervisor. */
  start(name: string): { readonly process: SimulatedProcess; readonly supervisor: Supervisor } {
    const fate = { time: this.time, meet: (one: SimulatedProcess, step: string) => this.meeting(one, step) };
    const process = new SimulatedProcess(`${name}-${this.#nextName()}`, fate);
    this.#processes.push(process);
    const { aroundLog = asItIs, aroundHandlers = asItIs, loops = shippedLoops } = this.#seams;
    const handlers = simulatedHandlers({
      ...this.drawn,
      begins: ({ id }, { actor }, by) => {
        this.trace.note(by.name, `begins ${actor} ${id}`);
        this.oracle.begins(id, actor, by);
      },
    });
    const supervisor = new Supervisor({
      log: acknowledging(aroundLog(connect(process, this.store, this.#holders), this), this.oracle),
      loops,
      makeHandlers: aroundHandlers(handlers),
      newRunId: () => `run-${this.#nextName()}`,
    });
    return { process, supervisor };
  }

  /** A process has done its work. What it was still writing beside that is there or not, as when it is killed. */
  leave(process: SimulatedProcess): void {
    this.#end(process);
    this.store.died(process);
  }

  /** Kills a process; or cuts the power, which is the end of all of them, and of what the disk had not written. */
  crash(process: SimulatedProcess, cutsPower: boolean): void {
    this.crashes += 1;
    this.trace.note(process.name, cutsPower ? 'the power fails' : 'is killed');
    if (!cutsPower) return this.leave(process);
    for (const one of this.#processes) this.#end(one);
    this.drawn.disk.cutPower();
    this.store.powerCut();
  }

  #end(process: SimulatedProcess): void {
    if (process.isAlive) process.atDeath();
    process.isAlive = false;
    this.#processes = this.#processes.filter((one) => one !== process);
  }

  #meetsFault(process: SimulatedProcess): boolean {
    const fault = this.drawn.fault();
    if (fault === null) return false;
    this.trace.note('disk', `${fault}, for ${process.name}`);
    if (fault !== 'busy') this.drawn.disk.fault = fault;
    return fault === 'busy';
  }

  #nextName(): number {
    return (this.#names += 1);
  }
}

const asItIs = <Inner>(inner: Inner): Inner => inner;
