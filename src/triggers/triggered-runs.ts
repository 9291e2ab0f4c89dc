import { createHash } from 'node:crypto';
import { concatMap, filter, lastValueFrom } from 'rxjs';
import { runCommand } from '../actors/subprocess.ts';
import type { RunOptions } from '../config/options.ts';
import type { LiveRun } from '../hosts/local/live-runs.ts';
import type { Loops } from '../hosts/local/loops.ts';
import type { HookEvent } from './hook-event.ts';
import { IssueComment } from './issue-comment.ts';
import { type IssueRule, optionsBy, type ScheduleRule, tokenVariableOf } from './trigger-rules.ts';
import { activityLine, commentText, promptOf } from './trigger-text.ts';

const END_MS = 600_000;
const MAX_OUTPUT_BYTES = 16_384;

export interface TriggerHost {
  readonly loops: Loops;
  readonly defaults: Partial<RunOptions>;
  /** Lets a run go on in this process. */
  readonly keep: (live: LiveRun) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly say: (message: string) => void;
}

/** What came of an event: a run, one that works on it already, or one that this delivery has started before. */
export type Triggered =
  | { readonly kind: 'started'; readonly run: string }
  | { readonly kind: 'busy' | 'again'; readonly run: string };

/** Starts runs for what happened on issues, and tells of them there. */
export class TriggeredRuns {
  readonly #host: TriggerHost;
  /** The runs that work here, by the issue. */
  readonly #open = new Map<string, string>();
  /** Starts that are under way: two labels may come at once. */
  #turn: Promise<unknown> = Promise.resolve();

  constructor(host: TriggerHost) {
    this.#host = host;
  }

  /** Starts the run of a rule for an event. `delivery`: the same one starts no second run. */
  start(rule: IssueRule, event: HookEvent, delivery: string): Promise<Triggered> {
    const started = this.#turn.then(() => this.#start(rule, event, delivery));
    this.#turn = started.catch(() => {});
    return started;
  }

  /** Starts the run of a schedule. */
  async begin({ prompt, run: options }: ScheduleRule): Promise<string> {
    const { loops, defaults, keep } = this.#host;
    const live = await loops.start(optionsBy({ run: options }, prompt, defaults));
    keep(live);
    return live.run;
  }

  async #start(rule: IssueRule, event: HookEvent, delivery: string): Promise<Triggered> {
    const { loops, defaults, keep, say } = this.#host;
    const named = runIdOf(delivery, rule, event.at);
    if (await loops.log.run(named)) return { kind: 'again', run: named };
    const key = `${event.source}/${event.repository}/${event.issue || event.url}`;
    const busy = this.#open.get(key);
    if (busy !== undefined) return { kind: 'busy', run: busy };
    const live = await loops.start(optionsBy(rule, promptOf(event), defaults), undefined, named);
    this.#open.set(key, live.run);
    keep(live);
    void this.#follow(rule, event, live)
      .catch((error: unknown) => say(`${live.run}: ${error instanceof Error ? error.message : String(error)}`))
      .finally(() => this.#open.delete(key));
    return { kind: 'started', run: live.run };
  }

  async #follow(rule: IssueRule, event: HookEvent, live: LiveRun): Promise<void> {
    const { environment, say } = this.#host;
    const token = environment[tokenVariableOf(rule)] ?? '';
    const comment = token === '' || event.issue === '' ? null : new IssueComment({ event, api: rule.api, token });
    const lines = ['started'];
    const write = async () => (await comment?.write(commentText(live.run, lines))) ?? null;
    const failures = [await write()];
    const told = live.activities.pipe(
      filter(({ status }) => status !== 'started'),
      concatMap((activity) => {
        lines.push(activityLine(activity));
        return write();
      }),
    );
    failures.push(await lastValueFrom(told, { defaultValue: null }));
    const end = await live.done;
    // A loop without rounds tells of none.
    if (lines.length === 1) {
      lines.push(end.kind === 'ended' ? `ended: ${end.outcome.ending}` : `left: ${end.kind}`);
      failures.push(await write());
    }
    const failure = failures.find((one) => one !== null);
    if (failure) say(`the comment of run ${live.run} was not written: ${failure}`);
    if (rule.atEnd !== undefined && end.kind === 'ended')
      await this.#bring(rule.atEnd, event, live.run, end.outcome.ending);
  }

  /** The command is the person's: it has their environment, and the issue as variables, not as words of it. */
  async #bring(command: string, event: HookEvent, run: string, ending: string): Promise<void> {
    const { defaults, say } = this.#host;
    const { issue, repository, url } = event;
    const result = await runCommand({
      run: null,
      command,
      directory: defaults.directory ?? process.cwd(),
      environment: {
        LOOPFOLD_RUN: run,
        LOOPFOLD_ENDING: ending,
        LOOPFOLD_ISSUE: issue,
        LOOPFOLD_REPOSITORY: repository,
        LOOPFOLD_URL: url,
      },
      passes: Object.keys(process.env),
      timeoutMs: END_MS,
      signal: new AbortController().signal,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    const isDone = result.kind === 'exited' && result.exitCode === 0;
    if (!isDone)
      say(`the command at the end of run ${run} has failed: ${'output' in result ? result.output : result.message}`);
  }
}

/** A UUID of version 7 that a delivery has each time it comes. */
function runIdOf(delivery: string, { source, on, match }: IssueRule, at: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([delivery, source, on, match]))
    .digest('hex');
  const time = Number.isNaN(Date.parse(at)) ? 0 : Math.max(0, Date.parse(at));
  const ms = time.toString(16).padStart(12, '0').slice(-12);
  const variant = ((Number.parseInt(digest.slice(3, 4), 16) & 3) | 8).toString(16);
  const parts = [
    ms.slice(0, 8),
    ms.slice(8),
    `7${digest.slice(0, 3)}`,
    variant + digest.slice(4, 7),
    digest.slice(7, 19),
  ];
  return parts.join('-');
}
