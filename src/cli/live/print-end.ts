import type { OutputFormat } from '../../config/config.ts';
import { assertRecorded } from '../../app/records/success-record.ts';
import { LogError } from '../../log/log.ts';
import type { Report } from '../../log/outbox-store.ts';
import { Complaint } from '../pages/complaint.ts';
import { wordsOf } from '../pages/loop-text.ts';
import { reportStatus } from '../pages/report-lines.ts';
import { failedResult, leftResult, type Result } from '../pages/result.ts';
import type { Session } from '../session.ts';
import { exitNow, EXIT, SIGNAL_EXIT, type StoppingSignal } from '../terminal/exit-status.ts';
import { complain, conclude, endingLine } from './conclude.ts';
import { type LeftRun, resultOfLeft } from './run-after-leave.ts';

const ENDED_FROM_INSIDE =
  'the process ended in the middle of the run: a module it loaded ended it, or nothing was left to wait for';

export interface EndPrinterParts {
  readonly session: Session;
  readonly format: OutputFormat;
  /** What to print on stdout in place of the answer; undefined: the answer. */
  readonly product?: ((result: Result) => string | undefined) | undefined;
}

/** Prints how a run left this process: by its end, by an error, or by a second stop signal. */
export class EndPrinter {
  readonly #parts: EndPrinterParts;
  /** The end was printed: later signals add nothing. */
  #isPrinted = false;

  constructor(parts: EndPrinterParts) {
    this.#parts = parts;
  }

  get isPrinted(): boolean {
    return this.#isPrinted;
  }

  /** Returns the exit status. */
  async ended(left: LeftRun): Promise<number> {
    const { session, format, product } = this.#parts;
    const { result, loop } = await resultOfLeft(left);
    if (result.outcome?.ending === 'success') await assertRecorded(left.loops.log, left.live.run);
    const words = endingLine(left.end, result.questions.length > 0);
    if (words) session.streams.err.line(words);
    this.#isPrinted = true;
    const { quiet } = session.shown;
    conclude(session.streams, format, result, { round: wordsOf(loop).round, product: product?.(result), quiet });
    return result.exit;
  }

  /** `owed`: the reports of the run that are still to be delivered. */
  failed(complaint: Complaint, run: string | null, owed: readonly Report[] = []): number {
    const { session, format } = this.#parts;
    this.#isPrinted = true;
    complain(session.streams, complaint, null);
    const result = failedResult(complaint, run, this.#nextAfter(complaint, run));
    conclude(session.streams, format, { ...result, owed: owed.map(reportStatus) }, wordsOf(null));
    return complaint.status;
  }

  endedFromInside(run: string | null): number {
    return this.failed(new Complaint(EXIT.internal, ENDED_FROM_INSIDE), run);
  }

  /** The process exits at once: the log has what happened. */
  leave(signal: StoppingSignal, run: string | null): never {
    const { session, format } = this.#parts;
    const exit = SIGNAL_EXIT[signal];
    if (!this.#isPrinted) conclude(session.streams, format, leftResult(exit, run, this.#again(run)), wordsOf(null));
    exitNow(exit);
  }

  #nextAfter({ cause }: Complaint, run: string | null): readonly string[] {
    const kind = cause instanceof LogError ? cause.kind : null;
    // The run was recorded in a file that is gone: there is nothing to resume.
    if (kind === 'lost') return [];
    return kind === 'damaged' || kind === 'diverged' ? [this.#parts.session.again(['check'])] : this.#again(run);
  }

  #again(run: string | null): readonly string[] {
    const { session } = this.#parts;
    return run === null || !session.isKept ? [] : [session.again(['resume', run])];
  }
}
