import type { Observable } from 'rxjs';
import type { OutputFormat } from '../config/config.ts';
import type { LiveRun, Loops } from '../hosts/local/loops.ts';
import type { Envelope } from '../log/envelope.ts';
import type { Fact } from '../runtime/cast.ts';
import { knownLoop } from '../projections/loop-in-view.ts';
import { plain } from '../projections/wording.ts';
import type { RunEnd } from '../runtime/run.ts';
import type { Watch } from '../runtime/supervisor.ts';
import { accountOf } from './account-of.ts';
import { asJson } from './as-json.ts';
import { attend } from './attend.ts';
import { Complaint } from './complaint.ts';
import { complaintOf } from './complaint-of.ts';
import { complain, conclude, farewell } from './conclude.ts';
import { exitNow, onEarlyExit } from './early-exit.ts';
import { EXIT, exitOf, SIGNAL_EXIT, type StoppingSignal } from './exit-status.ts';
import { LiveReading } from './live-reading.ts';
import { LiveView } from './live-view.ts';
import { wordsOf } from './loop-words.ts';
import { Narrator } from './narrator.ts';
import { nextCommands } from './next.ts';
import { Progress } from './progress.ts';
import { failedResult, leftResult, type Result, resultOf } from './result.ts';
import type { Session } from './session.ts';
import { onceThenNow, onStopSignals } from './signals.ts';
import { summaryOf } from './summary-of.ts';

export interface Serving {
  readonly session: Session;
  readonly loops: Loops;
  readonly format: OutputFormat;
  /** Starts the run, or takes it up. Throws a `Complaint` where it cannot be. */
  readonly begin: (watch: Watch) => Promise<LiveRun>;
  /** What was recorded before. */
  readonly past?: AsyncIterable<Fact>;
  /** What to print on stdout in place of the answer; undefined where the answer says it better. */
  readonly product?: (result: Result) => string | undefined;
}

const ENDED_FROM_INSIDE =
  'the process was ended from inside, in the middle of the run: by a module it loaded, or for want of anything to wait for';

/** Serves a run to its end in this process: progress on stderr, the product on stdout. Returns the exit status. */
export const serve = (serving: Serving): Promise<number> => new Service(serving).toItsEnd();

/** One run, from its beginning in this process until it is told how it left. */
class Service {
  readonly #serving: Serving;
  readonly #reading: LiveReading;
  readonly #narrator: Narrator;
  readonly #progress: Progress;
  readonly #view: LiveView;
  #facts: Observable<Envelope> | null = null;
  #live: LiveRun | null = null;
  #by: StoppingSignal | null = null;
  /** All is said: whatever comes now adds nothing. */
  #isConcluded = false;

  constructor(serving: Serving) {
    const { err } = serving.session.streams;
    const { definitions } = serving.loops;
    this.#serving = serving;
    this.#reading = new LiveReading(definitions);
    this.#narrator = new Narrator(err, definitions);
    this.#progress = new Progress(definitions);
    this.#view = new LiveView({ to: err, progress: this.#progress });
  }

  async toItsEnd(): Promise<number> {
    const stillEarly = onEarlyExit(() => this.#endedFromInside());
    const stopListening = onStopSignals(onceThenNow({ once: (signal) => this.#stop(signal), now: (signal) => this.#leave(signal) }));
    try {
      const live = await this.#begin();
      return await this.#conclude(live, await this.#served(live));
    } catch (error) {
      if (!this.#live) {
        stopListening();
        throw error;
      }
      return this.#fail(complaintOf(error, 'run'));
    } finally {
      this.#view.stop();
      stillEarly();
      await this.#serving.loops.log.close();
    }
  }

  async #begin(): Promise<LiveRun> {
    const { past, begin, session } = this.#serving;
    if (past) for await (const fact of past) {
      this.#narrator.recall(fact);
      this.#progress.recall(fact);
    }
    const live = await begin((facts, deltas) => {
      this.#facts = facts;
      facts.subscribe((envelope) => this.#tell(envelope));
      deltas.subscribe(({ kind, text }) => {
        if (kind === 'text') this.#progress.heard(text);
        this.#view.changed();
      });
    });
    this.#live = live;
    if (this.#by) void live.pause('signal');
    for (const warning of live.warnings) session.streams.err.line(`warning: ${plain(warning)}`);
    return live;
  }

  async #served(live: LiveRun): Promise<RunEnd> {
    const { loops, session, format } = this.#serving;
    const { err } = session.streams;
    this.#view.start();
    const isSomebodyThere = format === 'text' && err.isTerminal && process.stdin.isTTY === true;
    const attending = attend({
      loops,
      live,
      err,
      facts: this.#facts ?? live.events,
      input: isSomebodyThere ? process.stdin : null,
      onAsking: (isAsking) => (isAsking ? this.#view.stop() : this.#view.start()),
    });
    const [end] = await Promise.all([live.done, attending]);
    this.#view.stop();
    return end;
  }

  #tell(envelope: Envelope): void {
    const { session, format } = this.#serving;
    const fact = this.#reading.read(envelope);
    if (fact) {
      this.#narrator.tell(fact);
      this.#progress.observe(fact);
    }
    if (format === 'stream-json') session.streams.out.line(asJson(envelope));
    this.#view.changed();
  }

  #stop(signal: StoppingSignal): void {
    if (this.#isConcluded) return;
    this.#by = signal;
    this.#serving.session.streams.err.line(`${signal}: pausing; once more to stop at once`);
    if (this.#live) void this.#live.pause('signal');
  }

  #leave(signal: StoppingSignal): never {
    const { session, format } = this.#serving;
    const exit = SIGNAL_EXIT[signal];
    this.#view.stop();
    if (!this.#isConcluded) conclude(session.streams, format, leftResult(exit, this.#run, this.#again()), wordsOf(null));
    exitNow(exit);
  }

  #endedFromInside(): number {
    return this.#fail(new Complaint(EXIT.internal, ENDED_FROM_INSIDE));
  }

  #fail(complaint: Complaint): number {
    const { session, format } = this.#serving;
    this.#view.stop();
    this.#isConcluded = true;
    complain(session.streams, complaint, null);
    conclude(session.streams, format, failedResult(complaint, this.#run, this.#again()), wordsOf(null));
    return complaint.status;
  }

  async #conclude(live: LiveRun, end: RunEnd): Promise<number> {
    const { session, loops, format, product } = this.#serving;
    const summary = await summaryOf(loops.log, live.run, loops.definitions);
    const loop = knownLoop(summary.machine, loops.definitions);
    const account = await accountOf(loops.log, live.run, summary, loops.definitions);
    const questions = (end.kind === 'paused' && (await loops.questions(live.run))) || [];
    const next = session.isKept ? nextCommands(live.run, summary, loop, questions).map((words) => session.again(words)) : [];
    const how = { account, questions, next, warnings: live.warnings, ...this.#standing(end, summary.settings.checks.length > 0, questions.length > 0) };
    const result = resultOf(live.run, summary, how);
    const words = farewell(end);
    if (words) session.streams.err.line(words);
    this.#isConcluded = true;
    conclude(session.streams, format, result, { round: wordsOf(loop).round, product: product?.(result) });
    return result.exit;
  }

  #standing(end: RunEnd, checksAsked: boolean, isWaiting: boolean): Pick<Result, 'exit' | 'state'> {
    const state = end.kind === 'paused' && isWaiting ? 'waiting' : end.kind;
    switch (end.kind) {
      case 'ended':
        return { state, exit: exitOf(end.outcome, checksAsked) };
      case 'paused':
        if (this.#by) return { state: 'paused', exit: SIGNAL_EXIT[this.#by] };
        return { state, exit: isWaiting ? EXIT.waiting : EXIT.paused };
      case 'lost':
        return { state, exit: EXIT.held };
    }
  }

  get #run(): string | null {
    return this.#live?.run ?? this.#narrator.root;
  }

  #again(): readonly string[] {
    const { session } = this.#serving;
    return this.#run === null || !session.isKept ? [] : [session.again(['resume', this.#run])];
  }
}
