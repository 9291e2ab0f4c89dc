import type { LiveRun } from '../../app/running/live-runs.ts';
import type { App } from '../../app/app.ts';
import { isOwed, type Report } from '../../log/outbox-store.ts';
import { amount, plain } from '../../projections/phrases.ts';
import { enclosingRun } from '../args/run-around.ts';
import type { RunEnd } from '../../runtime/run-end.ts';
import type { Watch } from '../../runtime/own-tree.ts';
import { complaintOf } from '../pages/complaint-of.ts';
import { onEarlyExit, type StoppingSignal } from '../terminal/exit-status.ts';
import { onceThenNow, onStopSignals } from '../terminal/stop-signals.ts';
import { attend } from './answer-questions.ts';
import { EndPrinter, type EndPrinterParts } from './print-end.ts';
import { RunView } from './run-view.ts';
import { telemetryHere, tellTheRest } from './telemetry-here.ts';

export interface WatchedRun extends EndPrinterParts {
  readonly loops: App;
  /** Starts or resumes the run. Throws a `Complaint` if that is refused. */
  readonly begin: (watch: Watch) => Promise<LiveRun>;
  /** The facts recorded before. */
  readonly past?: Parameters<RunView['recall']>[0];
}

/** After so long a person is told what a start is doing. */
const SLOW_START_MS = 2_000;

/** Runs a run to its end in this process: progress on stderr, the answer on stdout. Returns the exit status. */
export const watchRun = (watched: WatchedRun): Promise<number> => new RunWatch(watched).untilItsEnd();

/** One run, from its start in this process until its end is printed. */
class RunWatch {
  readonly #watched: WatchedRun;
  readonly #view: RunView;
  readonly #printer: EndPrinter;
  #facts: Parameters<Watch>[0] | null = null;
  #live: LiveRun | null = null;
  /** Its work is over in this process. */
  #hasLeft = false;
  #by: StoppingSignal | null = null;
  /** Ends the wait for reports, once the run has left. */
  #skipReports: (() => void) | null = null;

  constructor(watched: WatchedRun) {
    const { session, format, loops } = watched;
    this.#watched = watched;
    this.#view = new RunView(session.streams, format, loops.definitions, session.shown);
    this.#printer = new EndPrinter(watched);
  }

  async untilItsEnd(): Promise<number> {
    const stillEarly = onEarlyExit(() => {
      this.#view.stop();
      return this.#printer.endedFromInside(this.#run);
    });
    const stopListening = onStopSignals(
      onceThenNow({ once: (signal) => this.#stop(signal), now: (signal) => this.#leave(signal) }),
    );
    const { session, loops } = this.#watched;
    try {
      const telemetry = await telemetryHere(loops, session.streams.err);
      const live = await this.#begin(telemetry);
      const end = await this.#untilLeft(live);
      await tellTheRest(telemetry, live.run, session.streams.err);
      this.#hasLeft = true;
      await this.#view.left(loops.log, live.run, end);
      const owed = await this.#untilReported(live);
      return await this.#printer.ended({ session, loops, live, end, by: this.#by, owed });
    } catch (error) {
      if (!this.#live) {
        stopListening();
        throw error;
      }
      this.#view.stop();
      return this.#printer.failed(complaintOf(error, 'run'), this.#run, await this.#owedNow(this.#live));
    } finally {
      this.#view.stop();
      stillEarly();
      await loops.log.close();
    }
  }

  async #begin(telemetry: Awaited<ReturnType<typeof telemetryHere>>): Promise<LiveRun> {
    const { past, begin, session } = this.#watched;
    if (past) await this.#view.recall(past);
    const { err } = session.streams;
    const reading = `reading the files of ${plain(session.directory)}`;
    const slow = setTimeout(() => err.line(err.colours.dim(reading)), SLOW_START_MS);
    const live = await begin((facts, deltas, steps) => {
      this.#facts = facts;
      telemetry?.follow(steps);
      this.#view.follow(facts, deltas);
    }).finally(() => clearTimeout(slow));
    this.#live = live;
    if (this.#by) void live.pause('signal');
    for (const warning of live.warnings) session.streams.err.line(`warning: ${plain(warning)}`);
    await this.#view.tellPage(this.#watched.loops.log, live.run);
    return live;
  }

  async #untilLeft(live: LiveRun): Promise<RunEnd> {
    const { loops, session, format } = this.#watched;
    const { err } = session.streams;
    this.#view.start();
    const hasTerminal = format === 'text' && err.isTerminal && process.stdin.isTTY === true;
    // A command of a run may have a terminal of its own making.
    const canAsk = hasTerminal && (await enclosingRun(loops.log)) === null;
    const onAsking = (isAsking: boolean) => (isAsking ? this.#view.stop() : this.#view.start());
    session.attending.at(canAsk ? process.stdin : null, err, onAsking);
    const attending = attend({
      loops,
      live,
      err,
      facts: this.#facts ?? live.events,
      input: canAsk ? process.stdin : null,
      directory: session.directory,
      onAsking,
    });
    const [end] = await Promise.all([live.done, attending]);
    this.#view.stop();
    return end;
  }

  /** The reports that are still owed, after a wait for them that a signal ends. */
  async #untilReported(live: LiveRun): Promise<readonly Report[]> {
    const { session, loops } = this.#watched;
    const { err } = session.streams;
    this.#skipReports = live.stopReporting;
    const owed = (await loops.log.undelivered(live.run)).filter(isOwed);
    const { length } = owed.filter(({ secretVariable }) => secretVariable === null || process.env[secretVariable]);
    if (length > 0) err.line(err.colours.dim(`waiting up to 10 s for ${amount(length, 'report')} to be delivered`));
    return live.reported;
  }

  /** The reports that are owed by a run that has left, without a wait for them. */
  async #owedNow(live: LiveRun): Promise<readonly Report[]> {
    if (!this.#hasLeft) return [];
    live.stopReporting();
    return live.reported.catch(() => []);
  }

  #stop(signal: StoppingSignal): void {
    if (this.#printer.isPrinted) return;
    if (this.#skipReports) return this.#skipReports();
    this.#by = signal;
    this.#watched.session.streams.err.line(`${signal}: pausing; once more to stop at once`);
    if (this.#live) void this.#live.pause('signal');
  }

  #leave(signal: StoppingSignal): never {
    this.#view.stop();
    this.#printer.leave(signal, this.#run);
  }

  get #run(): string | null {
    return this.#live?.run ?? this.#view.root;
  }
}
