import { environmentFault } from '../../../src/log/environment-fault.ts';
import type { Command } from '../../../src/runtime/command.ts';
import type { RunEnd } from '../../../src/runtime/run-end.ts';
import type { Supervisor } from '../../../src/runtime/supervisor.ts';
import { Chance } from './chance.ts';
import { replaceGlobals, settled } from './global-time.ts';
import type { SimulatedProcess } from './simulated-process.ts';
import { settingsOf } from './plan.ts';
import type { Seams } from './seams.ts';
import { World } from './world.ts';

/** How a life went. */
export interface LifeReport {
  readonly seed: number;
  readonly crashes: number;
  /** How the run ended. Null: it has not. */
  readonly ending: string | null;
  /** What must not have happened. */
  readonly violations: readonly string[];
  readonly trace: readonly string[];
}

/** After its last disturbance, a run ends within this. */
const PATIENCE_MS = 5 * 60_000;
const MAX_STARTS = 100;
/** A stopped process no longer has its lease when another one asks for it. */
const TAKEOVER_MS = 17_000;

/** Lives one life of a run through its crashes, in one process after the other, until it has ended. */
export const live = (seed: number, seams: Seams = {}): Promise<LifeReport> => new Life(seed, seams).live();

class Life {
  readonly #seed: number;
  readonly #world: World;
  readonly #chance: Chance;
  /** The crashes that are still to come. */
  readonly #ahead: { readonly afterSteps: number; readonly cutsPower: boolean }[];
  /** The process that works on the run, or is about to. */
  #owner: SimulatedProcess | null = null;
  #isOver = false;
  #starts = 0;
  /** How many people wait for an answer. */
  #people = 0;
  #hasEndedOnce = false;
  #lastDisturbed = 0;

  constructor(seed: number, seams: Seams) {
    this.#seed = seed;
    this.#world = new World(seed, seams);
    this.#chance = new Chance(seed).apart().apart();
    this.#ahead = [...this.#world.drawn.plan.crashes];
  }

  async live(): Promise<LifeReport> {
    const world = this.#world;
    const putBack = replaceGlobals({
      wallClock: () => world.wallClock(),
      time: world.time,
      draw: () => world.drawn.chance.draw(),
    });
    world.meeting = (process, step) => this.#meet(process, step);
    try {
      this.#startLater(0);
      this.#disturbLater();
      while (!this.#isOver) {
        await settled();
        if (!this.#isOver && !world.time.advance()) this.#giveUp('nothing is left to happen');
        if (world.time.now - this.#lastDisturbed > PATIENCE_MS) this.#giveUp('the run does not end');
      }
      await settled();
    } finally {
      putBack();
    }
    await world.oracle.checkEnd(world.drawn);
    const { crashes, trace, oracle } = world;
    const ending = this.#roots().at(-1)?.closed ?? null;
    return { seed: this.#seed, crashes, ending, violations: oracle.violations, trace: trace.lines };
  }

  #meet(process: SimulatedProcess, step: string): void {
    const [next] = this.#ahead;
    if (!next || process !== this.#owner || process.steps < next.afterSteps) return;
    this.#ahead.shift();
    this.#world.trace.note(process.name, `before "${step}"`);
    this.#world.crash(process, next.cutsPower);
    this.#lastDisturbed = this.#world.time.now;
    void this.#world.oracle.checkFolds();
    // A person who sees it die may want no more of it, before it is resumed.
    const isUnwanted = this.#world.drawn.plan.hasPeople && !this.#hasEndedOnce && this.#chance.happens(0.08);
    if (isUnwanted) this.#ask({ type: 'abort.requested', payload: { cause: 'user', reason: null } });
    this.#startLater(this.#chance.between(1, 400));
  }

  /** A new process takes up the run, or begins it where nothing of it was recorded. */
  #startLater(afterMs: number): void {
    this.#owner = null;
    this.#world.time.after(afterMs, () => {
      if (this.#isOver) return;
      if ((this.#starts += 1) > MAX_STARTS) return this.#giveUp('the run was started again and again');
      const { process, supervisor } = this.#world.start('owner');
      this.#owner = process;
      void process.run(() => this.#own(process, supervisor));
    });
  }

  async #own(process: SimulatedProcess, supervisor: Supervisor): Promise<void> {
    let isOver = false;
    try {
      isOver = await this.#hasEnded(process, supervisor);
      this.#hasEndedOnce ||= isOver;
      while (isOver && this.#people > 0) await process.wait('waits for people', 200);
      // Those who ask something of a run that has ended are told so, and so are those who have asked before.
      if (isOver) for (const { run } of this.#roots()) await supervisor.abort(run);
    } catch (error) {
      isOver = false;
      this.#failed(process, error);
    }
    this.#world.leave(process);
    // One that was woken after another had taken over ends nothing: the other may still be telling people.
    if (process !== this.#owner) return;
    if (isOver) this.#isOver = true;
    else this.#startLater(this.#chance.between(100, 3_000));
  }

  async #hasEnded(process: SimulatedProcess, supervisor: Supervisor): Promise<boolean> {
    const root = this.#roots().at(-1);
    const taken = root
      ? await supervisor.resume(root.run)
      : { kind: 'live' as const, live: await supervisor.start(settingsOf(this.#world.drawn.plan)) };
    this.#world.trace.note(process.name, `${root ? 'resumes' : 'starts'}: ${taken.kind}`);
    if (taken.kind === 'over' || taken.kind === 'not_raised') return true;
    if (taken.kind !== 'live') return false;
    const end = await taken.live.done;
    this.#world.trace.note(process.name, `has left: ${textOf(end)}`);
    // A run that has ended by an error is continued: a fault outside was no end.
    return end.kind === 'ended' && !(end.outcome.ending === 'abort' && end.outcome.cause === 'error');
  }

  /** What a disk may do to a process is no fault of it, except to take what it has lost for whole. */
  #failed(process: SimulatedProcess, error: unknown): void {
    this.#world.trace.note(process.name, `fails: ${String(error)}`);
    const isExpected = environmentFault(error) !== null && this.#world.drawn.plan.faultChance > 0;
    if (!isExpected) this.#world.oracle.report(`a process failed: ${String(error)}`);
  }

  #giveUp(why: string): void {
    this.#world.oracle.report(why);
    this.#isOver = true;
  }

  #roots() {
    return this.#world.store.tables.runs.all().filter(({ parentEffect }) => parentEffect === null);
  }

  /** People, the clock and the keyboard act at any time. */
  #disturbLater(): void {
    const {
      time,
      drawn: { plan },
    } = this.#world;
    if (!plan.hasPeople && !plan.jumpsClock && !plan.stopsProcesses) return;
    time.after(this.#chance.between(50, 6_000), () => {
      if (this.#isOver || time.now > 60_000) return;
      if (plan.hasPeople && !this.#hasEndedOnce) this.#ask();
      if (plan.jumpsClock) this.#world.jumpClock(this.#chance.pick([-9_000, 20_000, 500, 86_400_000]));
      if (plan.stopsProcesses && this.#owner) this.#stop(this.#owner);
      this.#lastDisturbed = time.now;
      this.#disturbLater();
    });
  }

  #ask(command = this.#command()): void {
    const root = this.#roots().at(-1);
    if (!root) return;
    const { process, supervisor } = this.#world.start('person');
    this.#world.trace.note(process.name, command.type);
    this.#people += 1;
    process.atDeath = () => {
      this.#people -= 1;
    };
    void process.run(async () => {
      try {
        const sent = await supervisor.send(root.run, command);
        this.#world.trace.note(process.name, sent.kind);
      } catch (error) {
        this.#failed(process, error);
      }
      this.#world.leave(process);
    });
  }

  #command(): Command {
    if (this.#chance.happens(0.15)) return { type: 'abort.requested', payload: { cause: 'user', reason: null } };
    if (this.#chance.happens(0.3)) return { type: 'run.paused', payload: { by: 'user' } };
    return { type: 'run.steered', payload: { text: `also this: ${this.#chance.below(1e9)}` } };
  }

  /** As by Ctrl-Z: another process takes up the run meanwhile, and the first goes on when it is woken. */
  #stop(process: SimulatedProcess): void {
    const { time } = this.#world;
    this.#world.trace.note(process.name, 'is stopped');
    // It is woken while the other one takes over, or any time later.
    process.stoppedUntil = time.now + TAKEOVER_MS + this.#chance.below(this.#chance.pick([40, 10_000]));
    this.#startLater(TAKEOVER_MS);
  }
}

const textOf = (end: RunEnd): string => (end.kind === 'ended' ? `ended in ${end.outcome.ending}` : end.kind);
