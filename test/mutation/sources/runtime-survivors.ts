const BEGUN = 'Equivalent: a run starts before anything else is observed of it, and that sets it.';
const REMOVED = 'Equivalent: the listener is removed as soon as it was called.';
const RAISED = 'Equivalent: where there is no limit, none is reached.';
const ANSWERED = 'Equivalent: what an effect says is refused once the run waits for it no more.';
const GONE = 'Equivalent: a run that has left refuses every message, so what an effect says then changes nothing.';
const DEAF = 'Equivalent: a run that has left refuses to be paused or stopped.';
const OVER = 'Equivalent: what is over does not hear a signal.';
const CLOSED = 'Equivalent: a closed box takes no message that a reader could be given.';
const UNHELD = 'Equivalent: no process has held the lease of a new run.';
const AGAIN = 'Equivalent: an inbox is looked at until its entries are settled, whatever the last look says.';
const EQUAL = 'Equivalent: of two equal times, either is the later.';
const MOMENT = 'Equivalent but for a millisecond.';
const RENEWED = 'Equivalent: a lease that was renewed is not the one that was found, so that it is not given.';
const UNTOLD = 'Equivalent: a run that is aborted ends, or leaves with an error; neither tells of an obstacle.';
const ABOVE = 'Equivalent: a run that has left ignores what a run below says of its end.';
const REFUSED = 'Equivalent: only a run that has left or ended refuses an abort, and one that has ended is sent none.';
const FIRST = 'Equivalent: no event comes before version 1.';

/** Edits of the runtime that no test notices, and why not. */
export const runtimeSurvivors: Readonly<Record<string, string>> = {
  "runtime/child-runs.ts childEnd: call.signal.removeEventListener('abort', stop); -> dropped": DEAF,
  'runtime/child-runs.ts childEnd: true -> false': REMOVED,
  'runtime/continuation.ts stillReached: 0 -> 1': RAISED,
  'runtime/continuation.ts stillReached: 0 -> 1 (2)': RAISED,
  'runtime/dispatch.ts Dispatcher.#endQueued: !one.queued || this.#neverStarted.has(one.effect) -> (!one.queued) && (this.#neverStarted.has(one.effect))':
    ANSWERED,
  'runtime/dispatch.ts Dispatcher.#endQueued: this.#neverStarted.add(one.effect); -> dropped': ANSWERED,
  'runtime/dispatch.ts Dispatcher.#execute: answered || this.#abandoned -> (answered) && (this.#abandoned)': GONE,
  'runtime/dispatch.ts Dispatcher.#execute: answered || this.#abandoned || !this.#running.has(one.effect… -> (answered || this.#abandoned) && (!this.#running.has(one.eff…':
    GONE,
  'runtime/dispatch.ts Dispatcher.#listen: answered ||= answererOf(entry, parsed.data as LoopEvent) ===… -> dropped':
    ANSWERED,
  "runtime/dispatch.ts Dispatcher.#listen: result.kind === 'rejected' && result.because === 'unexpected… -> (result.kind === 'rejected') || (result.because === 'unexpec…":
    ANSWERED,
  'runtime/dispatch.ts Dispatcher.#start: running.isOver = true; -> dropped': OVER,
  'runtime/dispatch.ts Dispatcher.#start: true -> false': OVER,
  'runtime/dispatch.ts Dispatcher.#start: void over.then(() => { running.isOver = true; }); -> dropped': OVER,
  'runtime/dispatch.ts Dispatcher.abandon: this.#abandoned = true; -> dropped': GONE,
  'runtime/dispatch.ts Dispatcher.abandon: this.#running.clear(); -> dropped': GONE,
  'runtime/dispatch.ts Dispatcher.abandon: true -> false': GONE,
  'runtime/last-activity.ts SignsOfLife.#isWaiting: false -> true': BEGUN,
  'runtime/last-activity.ts SignsOfLife.#servedBy: 0 -> 1': BEGUN,
  'runtime/loop-run.ts LoopRun.#refusePause: this.#obstacle = undefined; -> dropped': UNTOLD,
  'runtime/load-run.ts firstPage: 1 -> 0': FIRST,
  'runtime/mailbox.ts Mailbox.close: this.#reader = null; -> dropped': CLOSED,
  "runtime/own-tree.ts abortLive: result.kind !== 'rejected' || result.because !== 'left' -> (result.kind !== 'rejected') && (result.because !== 'left')":
    REFUSED,
  'runtime/own-tree.ts ownTree: false -> true': UNHELD,
  'runtime/remade-since.ts remadeSince.since: 0 -> 1': BEGUN,
  "runtime/resume-run.ts resumeRun: extended.kind === 'held' -> (extended.kind) !== ('held')": UNHELD,
  'runtime/run-tree.ts Tree.#remove: !run || !parent -> (!run) && (!parent)': ABOVE,
  'runtime/take-lease.ts LeaseWatch.#sinceMs: 0 -> 1': MOMENT,
  'runtime/take-lease.ts LeaseWatch.isStale: 0 -> 1': MOMENT,
  'runtime/take-lease.ts stays.waitedMs: 0 -> 1': MOMENT,
  'runtime/take-lease.ts stays: false -> true': RENEWED,
  "runtime/tree-without-owner.ts append: committed.kind === 'committed' -> !(committed.kind === 'committed')": AGAIN,
  'runtime/last-activity.ts lastSignOf: at > newest -> (at) >= (newest)': EQUAL,
  'runtime/resume-or-stop.ts later: one > other -> (one) >= (other)': EQUAL,
};
