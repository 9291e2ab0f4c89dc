const BEGUN = 'Equivalent: a run starts before anything else is observed of it, and that sets it.';
const REMOVED = 'Equivalent: the listener is removed as soon as it was called.';
const RAISED = 'Equivalent: where there is no limit, none is reached.';
const ANSWERED = 'Equivalent: what an effect says is refused once the run waits for it no more.';
const GONE = 'Equivalent: a run that has left refuses every message, so what an effect says then changes nothing.';
const OVER = 'Equivalent: what is over does not hear a signal.';
const CLOSED = 'Equivalent: a closed box takes no message that a reader could be given.';
const UNHELD = 'Equivalent: no process has held the lease of a new run.';
const PATIENCE = 'Equivalent but for the time that it takes.';
const AGAIN = 'Equivalent: an inbox is looked at until its entries are settled, whatever the last look says.';
const EQUAL = 'Equivalent: of two equal times, either is the later.';
const UNTESTED = 'No test that is near notices it yet.';

/** Edits of the runtime that no test notices, and why not. */
export const runtimeSurvivors: Readonly<Record<string, string>> = {
  'runtime/child-runs.ts childEnd: true -> false': REMOVED,
  "runtime/child-runs.ts openChild: !notStarted || call.signal.reason !== ('abort' satisfies Sto… -> (!notStarted) && (call.signal.reason !== ('abort' satisfies …":
    UNTESTED,
  'runtime/child-runs.ts openChild: asked && !call.signal.aborted -> (asked) || (!call.signal.aborted)': UNTESTED,
  'runtime/continuation.ts endOf: continued = event.payload; -> dropped': UNTESTED,
  'runtime/continuation.ts stillReached: 0 -> 1': RAISED,
  'runtime/continuation.ts stillReached: 0 -> 1 (2)': RAISED,
  'runtime/dispatch.ts Dispatcher.#endQueued: !one.queued || this.#neverStarted.has(one.effect) -> (!one.queued) && (this.#neverStarted.has(one.effect))':
    ANSWERED,
  'runtime/dispatch.ts Dispatcher.#endQueued: this.#neverStarted.add(one.effect); -> dropped': ANSWERED,
  "runtime/dispatch.ts Dispatcher.#execute.event: 'it was told to stop' -> ''": UNTESTED,
  "runtime/dispatch.ts Dispatcher.#execute.life: execution.kind === 'child' -> !(execution.kind === 'child')": UNTESTED,
  'runtime/dispatch.ts Dispatcher.#execute: !this.#abandoned && signal.aborted -> !(!this.#abandoned && signal.aborted)':
    GONE,
  'runtime/dispatch.ts Dispatcher.#execute: !this.#abandoned && signal.aborted -> (!this.#abandoned) || (signal.aborted)':
    GONE,
  'runtime/dispatch.ts Dispatcher.#execute: answered || this.#abandoned -> (answered) && (this.#abandoned)': GONE,
  'runtime/dispatch.ts Dispatcher.#execute: answered || this.#abandoned || !this.#running.has(one.effect… -> (answered || this.#abandoned) && (!this.#running.has(one.eff…':
    GONE,
  'runtime/dispatch.ts Dispatcher.#execute: this.#running.delete(one.effect); -> dropped': UNTESTED,
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
  'runtime/dispatch.ts Dispatcher.follow: this.#running.delete(effect); -> dropped': ANSWERED,
  'runtime/dispatch.ts Dispatcher.takeOver: true -> false': UNTESTED,
  'runtime/drain-inbox.ts deliverCommand: !record || record.closed !== null -> (!record) && (record.closed !== null)':
    UNTESTED,
  'runtime/drain-inbox.ts deliverCommand: reported -> !(reported)': UNTESTED,
  "runtime/drain-inbox.ts deliverCommand: result.because === 'left' -> (result.because) !== ('left')": UNTESTED,
  'runtime/extend-run.ts extendRun: await assertIntact(log, run); -> dropped': UNTESTED,
  "runtime/extend-run.ts extendRun: loaded.kind === 'unknown_machine' || loaded.kind === 'unread… -> (loaded.kind === 'unknown_machine') && (loaded.kind === 'unr…":
    UNTESTED,
  'runtime/extend-run.ts extendRun: settings.thread -> !(settings.thread)': UNTESTED,
  'runtime/last-activity.ts SignsOfLife.#isWaiting: false -> true': BEGUN,
  'runtime/last-activity.ts SignsOfLife.#servedBy: 0 -> 1': BEGUN,
  "runtime/load-run.ts editedText: `its events. \\`loopfold check\\` tells whether more was chang… -> ''": UNTESTED,
  "runtime/load-run.ts editedText: `run ${run}: the state that is stored for version ${version}… -> ''": UNTESTED,
  'runtime/load-run.ts notFolded: machine === null || known.some((id) => id === machine) -> (machine === null) && (known.some((id) => id === machine))':
    UNTESTED,
  'runtime/loop-run.ts LoopRun.#live: this.#leave(error); -> dropped': UNTESTED,
  'runtime/loop-run.ts LoopRun.#refusePause: false -> true': UNTESTED,
  'runtime/loop-run.ts LoopRun.#refusePause: this.#obstacle = undefined; -> dropped': UNTESTED,
  'runtime/loop-run.ts LoopRun.#refusePause: this.#pausing = false; -> dropped': UNTESTED,
  'runtime/mailbox.ts Mailbox.close: this.#reader = null; -> dropped': CLOSED,
  'runtime/migrate-runs.ts migrateTree: recorded.push(...committed.envelopes); -> dropped': UNTESTED,
  "runtime/own-tree.ts abortLive: result.kind !== 'rejected' || result.because !== 'left' -> (result.kind !== 'rejected') && (result.because !== 'left')":
    UNTESTED,
  'runtime/own-tree.ts ownTree: false -> true': UNHELD,
  'runtime/own-tree.ts runTree: await tree.leave(); -> dropped': UNTESTED,
  "runtime/pausing.ts stoppedIn.event: 'it was told to stop' -> ''": UNTESTED,
  'runtime/pausing.ts stoppedIn: !one.told || one.queued -> (!one.told) && (one.queued)': UNTESTED,
  'runtime/remade-since.ts remadeSince.since: 0 -> 1': BEGUN,
  "runtime/resume-run.ts resumeRun: extended.kind === 'held' -> (extended.kind) !== ('held')": UNHELD,
  'runtime/run-tree.ts LEAVE_LIMIT_MS: 10_000 -> 0': UNTESTED,
  'runtime/run-tree.ts Tree.pause: this.#pausedBy = { by, reason }; -> dropped': UNTESTED,
  'runtime/send-command.ts COMMAND_POLL_MS: 50 -> 0': PATIENCE,
  'runtime/send-command.ts resumeToAbort: await assertIntact(log, root); -> dropped': UNTESTED,
  "runtime/send-command.ts sendCommand: status.kind === 'rejected' -> (status.kind) !== ('rejected')": UNTESTED,
  'runtime/send-command.ts settleMyself: true -> false': AGAIN,
  'runtime/send-command.ts settleMyself: true -> false (2)': AGAIN,
  'runtime/store-state.ts storing.events: 1 -> 0': UNTESTED,
  'runtime/store-state.ts storing.events: batch.events.length - 1 -> (batch.events.length) + (1)': UNTESTED,
  'runtime/store-state.ts storing.events: index === batch.events.length - 1 -> !(index === batch.events.length - 1)':
    UNTESTED,
  'runtime/tree-inbox.ts TreeInbox.#look: this.#isReading = true; -> dropped': UNTESTED,
  'runtime/tree-inbox.ts TreeInbox.#look: true -> false': UNTESTED,
  "runtime/tree-inbox.ts TreeInbox.#pauseFor: !loop || result.kind !== 'rejected' -> (!loop) && (result.kind !== 'rejected')":
    UNTESTED,
  "runtime/tree-inbox.ts TreeInbox.#pauseFor: !loop || result.kind !== 'rejected' || result.because === 'l… -> (!loop || result.kind !== 'rejected') && (result.because ===…":
    UNTESTED,
  'runtime/unowned-tree.ts append: await assertIntact(log, run); -> dropped': UNTESTED,
  "runtime/unowned-tree.ts append: committed.kind === 'committed' -> !(committed.kind === 'committed')": AGAIN,
  'runtime/unowned-tree.ts settleUnowned: !open.some(({ id }) => id === entry.run) || !open.some(({ id… -> (!open.some(({ id }) => id === entry.run)) && (!open.some(({…':
    UNTESTED,
  'runtime/last-activity.ts lastSignOf: at > newest -> (at) >= (newest)': EQUAL,
  'runtime/resuming.ts later: one > other -> (one) >= (other)': EQUAL,
};
