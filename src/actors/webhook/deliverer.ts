import { thisProcess } from '../../log/holder.ts';
import type { OutboxStore, Report } from '../../log/outbox-store.ts';
import { shownUrl } from '../../text/url-text.ts';
import { nextTryInMs } from './delivery-schedule.ts';
import { sendWebhook, type Sent } from './send-webhook.ts';
import { SECRET_FORM, signingKey, webhookHeaders } from './webhook-signature.ts';

/** How often the outbox is looked at, at least: other processes write to it too. */
export const OUTBOX_POLL_MS = 500;
/** How many reports are tried at once. Each goes to another run or URL. */
const MAX_TRIES_AT_ONCE = 8;
/** Longer than one try may take: a claim that expires belongs to a process that hangs, or has died elsewhere. */
export const CLAIM_MS = 15_000;

export interface DelivererParts {
  readonly outbox: OutboxStore;
  /** Milliseconds since 1970. Sleeping ends at a time, or with the signal. */
  readonly clock: {
    readonly now: () => number;
    readonly monotonic: () => number;
    readonly sleepUntil: (time: number, signal: AbortSignal) => Promise<void>;
  };
  /** The environment, which has the secrets. */
  readonly variables: { readonly [variable: string]: string | undefined };
  readonly warn: (message: string) => void;
  /** Why a report must not be sent, asked before each try. Null: it may be. Default: every report may. */
  readonly refusal?: (report: Report) => Promise<string | null>;
  /** Sends one report. Default: over HTTP. */
  readonly send?: typeof sendWebhook;
}

/**
 * Delivers the reports in an outbox: those of one run and URL in their order, one at a time. It never throws: what
 * fails stays in the outbox, and is said.
 */
export class Deliverer {
  readonly #parts: DelivererParts;
  readonly #by = thisProcess();
  #delivered = 0;
  readonly #variables: readonly string[];
  #changed = Promise.withResolvers<void>();
  /** Runs and URLs of which a failure was said. */
  readonly #failing = new Set<string>();
  #isStoreFailing = false;

  constructor(parts: DelivererParts) {
    this.#parts = parts;
    this.#variables = Object.entries(parts.variables).flatMap(([name, value]) => (value ? [name] : []));
  }

  /** Whether this process can sign a report. */
  canSign({ secretVariable }: Pick<Report, 'secretVariable'>): boolean {
    return secretVariable === null || this.#variables.includes(secretVariable);
  }

  /** Looks at the outbox at once: something was written to it. */
  wake(): void {
    this.#changed.resolve();
    this.#changed = Promise.withResolvers();
  }

  /** Resolves when a try has ended, or on `wake`. */
  get changed(): Promise<void> {
    return this.#changed.promise;
  }

  /** Delivers what is due until the signal, then waits for the tries under way, which the signal cuts short. */
  async run(signal: AbortSignal): Promise<void> {
    await this.#deliver(signal, undefined, () => signal.aborted);
  }

  /**
   * Tries everything that is owed, whether it is due or not, until each run and URL is done or has failed once. Returns
   * how many reports it has delivered; the caller reads from the outbox what has failed.
   */
  async pass(signal: AbortSignal): Promise<number> {
    const before = this.#delivered;
    const lastTriedBefore = new Date(this.#parts.clock.now()).toISOString();
    await this.#deliver(signal, lastTriedBefore, () => true);
    return this.#delivered - before;
  }

  async #deliver(signal: AbortSignal, lastTriedBefore: string | undefined, isIdleEnd: () => boolean): Promise<void> {
    const tries = new Set<Promise<void>>();
    for (;;) {
      const { changed } = this;
      const isRoom = tries.size < MAX_TRIES_AT_ONCE && !signal.aborted;
      const report = isRoom ? await this.#claim(lastTriedBefore) : null;
      if (report) {
        const trying = this.#try(report, signal, lastTriedBefore === undefined).finally(
          () => (tries.delete(trying), this.wake()),
        );
        tries.add(trying);
      } else if (tries.size > 0) {
        await (signal.aborted ? Promise.all(tries) : this.#rest(changed, signal));
      } else {
        if (isIdleEnd()) return;
        await this.#rest(changed, signal);
      }
    }
  }

  async #claim(lastTriedBefore: string | undefined): Promise<Report | null> {
    const before = lastTriedBefore === undefined ? {} : { lastTriedBefore };
    const claim = { by: this.#by, forMs: CLAIM_MS, variables: this.#variables, ...before };
    return this.#inStore(() => this.#parts.outbox.claimReport(claim), null);
  }

  async #try(report: Report, signal: AbortSignal, isTold: boolean): Promise<void> {
    const sent = await this.#send(report, signal);
    const line = `${report.run} ${report.url}`;
    if (sent.kind === 'delivered') {
      this.#delivered += 1;
      this.#failing.delete(line);
      await this.#inStore(() => this.#parts.outbox.reportDelivered(report, this.#by), false);
      return;
    }
    const { error } = sent;
    const againInMs = nextTryInMs(report, this.#parts.clock.now());
    const isKept = await this.#inStore(
      () => this.#parts.outbox.reportFailed(report, this.#by, { error, againInMs }),
      false,
    );
    if (isTold && isKept && (againInMs === null || !this.#failing.has(line)) && !signal.aborted) {
      this.#failing.add(line);
      const then = againInMs === null ? 'it is given up' : 'it is tried again, and the run goes on';
      this.#parts.warn(`the report ${report.id} was not delivered to ${shownUrl(report.url)}: ${error}; ${then}`);
    }
  }

  async #send(report: Report, signal: AbortSignal): Promise<Sent> {
    const { id, url, body, secretVariable } = report;
    const secret = secretVariable === null ? null : (this.#parts.variables[secretVariable] ?? '');
    const key = secret === null ? null : signingKey(secret);
    if (secret !== null && !key) return { kind: 'failed', error: `${secretVariable}: expected ${SECRET_FORM}` };
    const refusal = (await this.#parts.refusal?.(report)) ?? null;
    if (refusal !== null) return { kind: 'failed', error: refusal };
    const timestamp = Math.floor(this.#parts.clock.now() / 1000);
    const headers = webhookHeaders({ id, timestamp, body }, key);
    const { send = sendWebhook } = this.#parts;
    return send({ url, headers, body }, { signal });
  }

  /** A store that was closed, or a full disk: said once, and tried again later. */
  async #inStore<Result>(ask: () => Promise<Result>, otherwise: Result): Promise<Result> {
    try {
      const result = await ask();
      this.#isStoreFailing = false;
      return result;
    } catch (error) {
      if (!this.#isStoreFailing) {
        const why = error instanceof Error ? error.message : String(error);
        this.#parts.warn(`reports cannot be delivered at the moment: ${why}`);
      }
      this.#isStoreFailing = true;
      return otherwise;
    }
  }

  async #rest(changed: Promise<void>, signal: AbortSignal): Promise<void> {
    const { clock } = this.#parts;
    const rested = new AbortController();
    const until = AbortSignal.any([signal, rested.signal]);
    await Promise.race([changed, clock.sleepUntil(clock.now() + OUTBOX_POLL_MS, until)]);
    rested.abort();
  }
}
