import type { LiveRun, Loops } from '../hosts/local/loops.ts';
import type { Envelope } from '../log/envelope.ts';
import type { RunSummary } from '../projections/run-summary.ts';
import { plain } from '../projections/wording.ts';
import type { RunEnd } from '../runtime/run.ts';
import type { Watch } from '../runtime/supervisor.ts';
import { Complaint, complaintOf } from './complaint.ts';
import { complain, conclude, farewell, type OutputFormat } from './conclude.ts';
import { exitNow, onEarlyExit } from './early-exit.ts';
import { EXIT, exitOf, SIGNAL_EXIT, type StoppingSignal } from './exit-status.ts';
import { Narrator } from './narrator.ts';
import { nextCommands } from './next.ts';
import { failedResult, leftResult, type Result, resultOf } from './result.ts';
import type { Session } from './session.ts';
import { onStopSignals } from './signals.ts';
import { summaryOf } from './summary-of.ts';

export interface Serving {
  readonly session: Session;
  readonly loops: Loops;
  readonly format: OutputFormat;
  /** Starts the run, or takes it up. Throws a `Complaint` where it cannot be. */
  readonly begin: (watch: Watch) => Promise<LiveRun>;
  /** What was recorded before. */
  readonly past?: AsyncIterable<Envelope>;
  /** What to print on stdout in place of the answer; undefined where the answer says it better. */
  readonly product?: (result: Result) => string | undefined;
}

const ENDED_FROM_INSIDE =
  'the process was ended from inside, in the middle of the run: by a module it loaded, or for want of anything to wait for';

/** Serves a run to its end in this process: progress on stderr, the product on stdout. Returns the exit status. */
export async function serve(serving: Serving): Promise<number> {
  const { session, loops, format } = serving;
  const { streams } = session;
  let live: LiveRun | null = null;
  let by: StoppingSignal | null = null;
  const narrator = new Narrator(streams.err);
  const runNow = () => live?.run ?? narrator.root;
  const again = () => {
    const run = runNow();
    return run === null || !session.isKept ? [] : [session.again(['resume', run])];
  };
  const concludeEarly = onEarlyExit(() => {
    const complaint = new Complaint(EXIT.internal, ENDED_FROM_INSIDE);
    complain(streams, complaint, null);
    conclude(streams, format, failedResult(complaint, runNow(), again()));
    return complaint.status;
  });
  const stopListening = onStopSignals({
    once: (signal) => {
      by = signal;
      streams.err.line(`${signal}: pausing; once more to stop at once`);
      if (live) void live.pause('signal');
    },
    now: (signal) => {
      const exit = SIGNAL_EXIT[signal];
      conclude(streams, format, leftResult(exit, runNow(), again()));
      exitNow(exit);
    },
  });
  try {
    live = await serving.begin(await watching(serving, narrator));
    if (by) void live.pause('signal');
    for (const warning of live.warnings) streams.err.line(`warning: ${plain(warning)}`);
    const end = await live.done;
    const summary = await summaryOf(loops.log, live.run);
    const next = session.isKept ? nextCommands(live.run, summary).map((words) => session.again(words)) : [];
    const result = resultOf(live.run, summary, { exit: exitAfter(end, summary, by), state: end.kind, next });
    const words = farewell(end);
    if (words) streams.err.line(words);
    conclude(streams, format, result, serving.product?.(result));
    return result.exit;
  } catch (error) {
    const complaint = complaintOf(error, 'run');
    if (!live) throw complaint;
    complain(streams, complaint, null);
    conclude(streams, format, failedResult(complaint, live.run, again()));
    return complaint.status;
  } finally {
    stopListening();
    concludeEarly();
    await loops.log.close();
  }
}

/** Tells what happens as it happens, and passes it on where a program wants to hear all of it. */
async function watching({ session, format, past }: Serving, narrator: Narrator): Promise<Watch> {
  const { out } = session.streams;
  if (past) for await (const envelope of past) narrator.recall(envelope);
  return (facts) => {
    facts.subscribe((envelope) => {
      narrator.tell(envelope);
      if (format === 'stream-json') out.line(JSON.stringify(envelope));
    });
  };
}

function exitAfter(end: RunEnd, { settings }: RunSummary, by: StoppingSignal | null): number {
  switch (end.kind) {
    case 'ended':
      return exitOf(end.outcome, settings.checks.length > 0);
    case 'paused':
      return by ? SIGNAL_EXIT[by] : EXIT.paused;
    case 'lost':
      return EXIT.held;
  }
}
