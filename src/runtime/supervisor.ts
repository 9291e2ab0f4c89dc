import { v7 as uuidv7 } from 'uuid';
import type { RunSettings } from '../../machines/settings.ts';
import type { Lease } from '../log/lease-store.ts';
import type { Log } from '../log/log.ts';
import { asItIs, type RedactFor } from '../kernel/react.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { Command } from './command.ts';
import { type Change, type Extended, extendRun } from './extend-run.ts';
import type { MakeHandlers } from './make-handlers.ts';
import { type HowResumed, type Resumed, resumeRun } from './resume-run.ts';
import { sendCommand, type Sent } from './send-command.ts';
import { machineClock, type Readings } from './run-clock.ts';
import { type EndHolder, leave } from './take-lease.ts';
import { beginTree, ownTree, runTree, type Live, type RuntimeParts, type Watch } from './own-tree.ts';

// The runs of one process, from the outside. A process runs a tree only while it holds the tree's lease: starting,
// resuming and extending take the lease and run the tree (own-tree.ts, run-tree.ts) until its root has ended or left.
//   start   a new run, recorded as `run.started`.
//   resume  a run from the end of its log: after a crash, a pause, or in another process (resume-run.ts).
//   extend  a run that did not succeed, as a fork with other limits or another strategy (extend-run.ts).
//   send    a command to any run of the log: the process that holds its lease takes it from the inbox; without a
//           holder the sender records it itself, and starts nothing (send-command.ts). Abort is such a command.
// The log, the handlers of effects and the loops are passed in; it knows none of them by name.

export interface SupervisorParts {
  readonly log: Log;
  readonly makeHandlers: MakeHandlers;
  /** The machine's clock. Default: that of this machine. */
  readonly clock?: Readings;
  readonly newRunId?: () => string;
  /** Takes secrets out of every payload of a run before it is recorded. */
  readonly redactFor?: RedactFor;
  /** Ends what a process left that let its lease expire. Default: nothing is ended. */
  readonly endHolder?: EndHolder;
  /** The loops that it can run: every version that open runs need. */
  readonly loops: readonly LoopDefinition[];
}

/** Starts, resumes and continues runs, and sends them commands. */
export class Supervisor {
  readonly log: Log;
  /** Every loop that it can run. */
  readonly loops: readonly LoopDefinition[];
  readonly #parts: RuntimeParts;

  constructor({
    clock = machineClock,
    newRunId = uuidv7,
    redactFor = () => asItIs,
    endHolder = leave,
    ...parts
  }: SupervisorParts) {
    this.log = parts.log;
    this.loops = parts.loops;
    this.#parts = {
      ...parts,
      ...clock,
      newRunId,
      redactFor,
      endHolder,
      abort: (run, reason) => this.abort(run, reason),
    };
  }

  /**
   * Starts a run. `named`: its id, where the caller chooses it, or the lease that it holds on it already. The log
   * refuses one that exists.
   */
  async start(settings: RunSettings, watch?: Watch, named?: string | Lease): Promise<Live> {
    if (named === undefined) return this.startDrawn(settings, watch, this.#parts.newRunId());
    if (typeof named !== 'string')
      return runTree(this.#parts, named, watch, (tree) => tree.begin(named.root, settings));
    const led = await ownTree(this.#parts, named, watch, (tree) => tree.begin(named, settings));
    if (led.kind === 'held') throw new Error(`the new run ${named} is held already`);
    return led.live;
  }

  /** Starts a run under an id that was drawn for it at random. */
  startDrawn(settings: RunSettings, watch: Watch | undefined, run: string): Promise<Live> {
    return beginTree(this.#parts, run, watch, (tree) => tree.begin(run, settings));
  }

  /**
   * Resumes a run where its log ends. One that ended by an error continues as a fork. With `migrate` the runs below
   * it are migrated too.
   */
  resume(run: string, watch?: Watch, how: HowResumed = {}): Promise<Resumed> {
    return resumeRun(this.#parts, run, watch, how);
  }

  /** Continues a run that did not succeed, as a new run that shares everything before the ending. */
  extend(run: string, change: Change, watch?: Watch): Promise<Extended> {
    return extendRun(this.#parts, run, change, watch);
  }

  abort(run: string, reason: string | null = null): Promise<Sent> {
    return this.send(run, { type: 'abort.requested', payload: { cause: 'user', reason } });
  }

  /** Sends a command to a run, whichever process owns it. Resolves when it is recorded or refused. */
  send(run: string, command: Command): Promise<Sent> {
    return sendCommand(this.#parts, run, command);
  }
}
