import type { Observable } from 'rxjs';
import { Deliverer, type DelivererParts, OUTBOX_POLL_MS } from '../../actors/webhook/deliverer.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Envelope } from '../../log/envelope.ts';
import type { Log } from '../../log/log.ts';
import { isOwed, type Report } from '../../log/outbox-store.ts';
import type { Live } from '../../runtime/own-tree.ts';
import { addressRefusal, maySaySuccess, reportRefusal } from './report-refusal.ts';

/** How long a process waits at the end of a run for its reports. */
export const REPORTS_LIMIT_MS = 10_000;

/** The result of a pass over everything that is owed. */
export interface Delivered {
  /** How many reports this process has delivered. */
  readonly delivered: number;
  /** Those that are still owed, oldest first: their last error says why. */
  readonly owed: readonly Report[];
  /** Those that were given up, now or before. */
  readonly givenUp: readonly Report[];
}

type Parts = Omit<DelivererParts, 'outbox' | 'refusal'> & {
  readonly log: Log;
  readonly loops: readonly LoopDefinition[];
};

/** A live run, and its settings where they could be read. */
interface Followed extends Pick<Live, 'run' | 'done'> {
  readonly settings: RunSettings | null;
  /** Ends the wait for its reports early. */
  readonly stop: AbortSignal;
}

/** Delivers reports in this process, as long as runs are live in it, and shortly after. */
export class Reporting {
  readonly #parts: Parts;
  /** How many live runs need it. */
  #users = 0;
  #deliverer: Deliverer | null = null;
  #stop = new AbortController();
  #stopped: Promise<void> = Promise.resolve();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /**
   * Delivers while a run is live: its own reports, and what earlier processes of the store still owe. Resolves once the
   * reports of the run are delivered, at most 10 s after it has left; with those that are still owed.
   */
  async follow({ run, done, settings, stop }: Followed, facts: Observable<Envelope>): Promise<readonly Report[]> {
    const deliverer = (await this.#isNeeded(settings)) ? this.#begin() : null;
    if (!deliverer) return [];
    const subscription = facts.subscribe(() => deliverer.wake());
    // The clock of this machine keeps no process alive; reports that wait for their next try do, for as long.
    let alive: NodeJS.Timeout | undefined;
    try {
      await done.catch(() => {});
      alive = setInterval(() => {}, OUTBOX_POLL_MS);
      await this.#settled(run, deliverer, stop);
    } finally {
      clearInterval(alive);
      subscription.unsubscribe();
      await this.#end();
    }
    return this.#owed(run);
  }

  /**
   * Tries everything that is owed in the store once, and says what is left. Each report is compared with the verified
   * events of its run first.
   */
  async deliver(signal: AbortSignal = new AbortController().signal): Promise<Delivered> {
    const alive = setInterval(() => {}, OUTBOX_POLL_MS);
    try {
      const delivered = await this.#delivererOf(() => true).pass(signal);
      const left = await this.#parts.log.undelivered();
      return { delivered, owed: left.filter(isOwed), givenUp: left.filter((report) => !isOwed(report)) };
    } finally {
      clearInterval(alive);
    }
  }

  async #isNeeded(settings: RunSettings | null): Promise<boolean> {
    if ((settings?.webhooks ?? []).length > 0) return true;
    return this.#parts.log.owesReports().catch(() => false);
  }

  #begin(): Deliverer {
    this.#users += 1;
    if (this.#deliverer) return this.#deliverer;
    const deliverer = this.#delivererOf(maySaySuccess);
    this.#deliverer = deliverer;
    this.#stop = new AbortController();
    this.#stopped = deliverer.run(this.#stop.signal);
    return deliverer;
  }

  /**
   * It verifies what `isVerified` says of a report: while a run works, that is its success alone. Of the others it
   * compares the address, which may have been edited as well.
   */
  #delivererOf(isVerified: (report: Report) => boolean): Deliverer {
    const { log, loops, ...parts } = this.#parts;
    const refusal = (report: Report) =>
      isVerified(report) ? reportRefusal(log, loops, report) : addressRefusal(log, report);
    return new Deliverer({ ...parts, outbox: log, refusal });
  }

  async #end(): Promise<void> {
    this.#users -= 1;
    if (this.#users > 0) return;
    this.#deliverer = null;
    this.#stop.abort();
    await this.#stopped;
  }

  /** Waits as long as some report of the run can still be delivered within the limit. */
  async #settled(run: string, deliverer: Deliverer, stop: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const end = clock.monotonic() + REPORTS_LIMIT_MS;
    const signal = AbortSignal.any([this.#stop.signal, stop]);
    while (!stop.aborted) {
      const { changed } = deliverer;
      const heads = firstOfEach(await this.#owed(run));
      const leftMs = end - clock.monotonic();
      const canCome = heads.some(
        (head) => deliverer.canSign(head) && Date.parse(head.nextTryAt) - clock.now() <= leftMs,
      );
      if (!canCome || leftMs <= 0) return;
      await Promise.race([changed, clock.sleepUntil(clock.now() + Math.min(leftMs, OUTBOX_POLL_MS), signal)]);
    }
  }

  /** None where the store can no longer be read: that was said by the deliverer. */
  async #owed(run: string): Promise<readonly Report[]> {
    return (await this.#parts.log.undelivered(run).catch(() => [])).filter(isOwed);
  }
}

/** The first report of each URL: the later ones wait for it. */
const firstOfEach = (reports: readonly Report[]): readonly Report[] => [
  ...new Map(reports.toReversed().map((report) => [report.url, report])).values(),
];
