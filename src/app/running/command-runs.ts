import type { Sent } from '../../runtime/send-command.ts';
import type { Supervisor } from '../../runtime/supervisor.ts';
import { type SubmitOptions, type SubmittedRun, submitRun } from '../start/submit-run.ts';
import { ChangedRuns } from '../changes/run-changes.ts';
import type { AppHost } from '../app-host.ts';
import { type Answer, answer, grant, pause, steer } from '../people/people.ts';
import type { CommandResult } from '../people/people-result.ts';
import type { Delivered, Reporting } from './report-delivery.ts';
import type { Grant } from '../people/ruling.ts';
import { unusedRules } from '../people/rules-without-use.ts';

/** The runs of one log, to read and to send commands to. It does not matter which process owns a run. */
export class CommandedRuns extends ChangedRuns {
  readonly #host: AppHost;
  readonly #supervisor: Supervisor;
  readonly #reporting: Reporting;

  constructor(host: AppHost) {
    super(host);
    this.#host = host;
    this.#supervisor = host.supervisor;
    this.#reporting = host.reporting;
  }

  /**
   * Records a run for whichever worker of the log is free, and owns nothing of it. `named` is its id, a UUIDv7: the
   * same submission delivered twice is one run. Throws an `OptionsError`.
   */
  submit(options: SubmitOptions, named?: string): Promise<SubmittedRun> {
    return submitRun(this.#host, options, named);
  }

  /** Ends a run, also one that another process owns, or none. */
  abort(run: string, reason?: string): Promise<Sent> {
    return this.#supervisor.abort(run, reason);
  }

  /**
   * The rules about what calls may do that no call of a run, and of the runs below it, fitted: they may be mistyped.
   * Empty for an agent of others, which tells of its calls only where it asks.
   */
  unusedRules(run: string): Promise<readonly string[]> {
    return unusedRules(this.log, run, this.definitions);
  }

  /**
   * Answers an open question of a run, also of one that another process owns. An unowned run takes the answer when it
   * is resumed.
   */
  answer(run: string, given: Answer): Promise<CommandResult> {
    return answer(this.#supervisor, run, given);
  }

  /**
   * Approves or denies what a run asks for: to read outside the workspace, where the path's real place is granted, or
   * an approval. Either holds only for exactly what `question.approval` says; a path through symbolic links is not
   * granted without the digest. The first answer counts: a second one is refused, with the first and its time.
   *
   * @example
   * const [question] = (await loops.questions(run)) ?? [];
   * if (question?.approval) await loops.grant(run, { granted: true, digest: question.approval.digest });
   */
  grant(run: string, given: Grant): Promise<CommandResult> {
    return grant(this.#supervisor, run, given);
  }

  /** Adds to the task of a run: its next answer knows the text, and it does not finish its work before that. */
  steer(run: string, text: string): Promise<CommandResult> {
    return steer(this.#supervisor, run, text);
  }

  /** Stops a run that any process works on, with the attempts below it, and leaves it to be resumed. */
  pause(run: string): Promise<CommandResult> {
    return pause(this.#supervisor, run);
  }

  /**
   * Tries to deliver every report to a webhook that is owed in the log, also of runs that have ended, and says what is
   * left. Needs the variables with the secrets.
   */
  deliver(signal?: AbortSignal): Promise<Delivered> {
    return this.#reporting.deliver(signal);
  }
}
