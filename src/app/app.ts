import type { ChangeOptions } from '../config/change.ts';
import type { RunOptions } from '../config/options.ts';
import type { Extended } from '../runtime/extend-run.ts';
import type { HowResumed, Resumed } from '../runtime/resume-run.ts';
import type { Watch } from '../runtime/own-tree.ts';
import { CommandedRuns } from './running/command-runs.ts';
import { continuedRun } from './running/run-to-continue.ts';
import { judgeAgain, judgeAlone, type JudgedAgain, type JudgedAlone, type Rejudging } from './judging/judge-again.ts';
import type { RedecideOptions } from './judging/redecide-options.ts';
import type { LiveRun, WithLiveRun } from './running/live-runs.ts';
import type { AppHost } from './app-host.ts';
import { type Named, newRun } from './start/new-run.ts';
import { assertResumable, preparedChange } from './running/prepare-change.ts';
import { type Preview, previewRun } from './preview/preview-run.ts';
import { checkedRun, type CheckedRun } from './start/prepare-run.ts';

/** The one door to runs: what a command line, a server, an editor or a program does with them. */
export class App extends CommandedRuns {
  readonly #host: AppHost;

  constructor(host: AppHost) {
    super(host);
    this.#host = host;
  }

  /**
   * Starts a run. Throws, with nothing written, an `OptionsError` where the options are invalid, a `ScriptError` or a
   * `ModelError` where its model cannot be loaded, an `EnvironmentError` where its directory cannot be used, a
   * `WorkspaceHeldError` where another run may write there, a `StateFileHeldError` where a Ralph loop has its state
   * file there. `named` is its id, for callers that have to know it before the run exists: a UUIDv7 that the log does
   * not know. Or it is the lease on such an id, which this process has taken.
   */
  async start(options: RunOptions | CheckedRun, watch?: Watch, named?: Named): Promise<LiveRun> {
    return newRun(this.#host, options, { watch, named });
  }

  /**
   * Throws what `start` would throw, unless another run is in the way, and starts nothing. Returns what `start` takes
   * in place of the options, here or over another log, without checking them again.
   */
  async check(options: RunOptions): Promise<CheckedRun> {
    return checkedRun(this.#host, options);
  }

  /**
   * What `start` would begin with: the settings, the first request with its estimated tokens and price, the checks and
   * what they rest on. Sends and records nothing, and starts no check. Throws as `check` does,
   * but for a key that is missing: that is a warning.
   */
  async preview(options: RunOptions): Promise<Preview> {
    return previewRun(this.#host, options);
  }

  /**
   * Resumes a run where its log ends, whatever stopped it; with `migrate`, under the newest version of its machine.
   * Throws as `start` does where its model, strategy or directory can no longer be used, or another run holds it.
   */
  async resume(
    run: string,
    watch?: Watch,
    how: Pick<HowResumed, 'migrate' | 'takeOver' | 'lease'> = {},
  ): Promise<WithLiveRun<Resumed>> {
    return continuedRun<Resumed>(
      this.#host,
      run,
      watch,
      async (observing, remade) => {
        await assertResumable(this.#host, run, how.migrate ?? false);
        return { result: await this.#host.supervisor.resume(run, observing, { ...how, remade }) };
      },
      how.lease,
    );
  }

  /**
   * Continues a run that did not succeed, as a new run under other limits. Throws as `start` does, with nothing
   * written.
   */
  async extend(run: string, options: ChangeOptions, watch?: Watch): Promise<WithLiveRun<Extended>> {
    return continuedRun<Extended>(this.#host, run, watch, async (observing, remade) => {
      const prepared = await preparedChange(this.#host, run, options);
      if (prepared.kind !== 'change') return { result: prepared };
      const { change, warnings } = prepared;
      return { result: await this.#host.supervisor.extend(run, { ...change, remade }, observing), warnings };
    });
  }

  /**
   * What another strategy, other detectors or other limits would have decided over a recorded run and its attempts.
   * Reads the log and touches nothing else. Throws an `OptionsError` where there is no such judge.
   */
  async redecide(run: string, options: RedecideOptions, how?: Rejudging): Promise<JudgedAgain> {
    const { services, definitions } = this.#host;
    return judgeAgain(this.log, run, options, { services, loops: definitions }, how);
  }

  /**
   * What the judge of a recorded run decides over it today, without the runs below it. For a run whose history was
   * verified. Throws an `OptionsError` where its judge is not here.
   */
  async redecideAlone(run: string): Promise<JudgedAlone> {
    const { services, definitions } = this.#host;
    return judgeAlone(this.log, run, { services, loops: definitions });
  }
}
