import type { RunOptions } from '../config/options.ts';
import type { LiveRun } from '../app/running/live-runs.ts';
import type { App } from '../app/app.ts';
import { runIdOf } from './delivery-id.ts';
import { runEndCommand } from './end-command.ts';
import { followRun, commentText, promptOf } from './follow-run.ts';
import type { FollowedIssue, FollowedIssues } from './issue-comments.ts';
import type { HookEvent } from './hook-event.ts';
import { IssueComment } from './issue-comment.ts';
import { type IssueRule, optionsBy, type ScheduleRule, submissionBy, tokenVariableOf } from './trigger-rules.ts';

export interface TriggerHost {
  readonly loops: App;
  readonly defaults: Partial<RunOptions>;
  /** Lets a run go on in this process. */
  readonly keep: (live: LiveRun) => void;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly say: (message: string) => void;
  /** What is kept for a server that starts again. */
  readonly followed: FollowedIssues;
}

/** What came of an event: a run, one that works on it already, or one that this delivery has started before. */
export interface Triggered {
  readonly kind: 'started' | 'submitted' | 'busy' | 'again';
  readonly run: string;
}

/** Starts or submits runs for what happened on issues, and tells of them there. */
export class TriggeredRuns {
  readonly #host: TriggerHost;
  /** The runs that are not over, by the issue. */
  readonly #open = new Map<string, string>();
  /** Starts that are under way: two labels may come at once. */
  #turn: Promise<unknown> = Promise.resolve();
  readonly #stop = new AbortController();
  readonly #following = new Set<Promise<void>>();

  constructor(host: TriggerHost) {
    this.#host = host;
  }

  /** Begins the run of a rule for an event. `delivery`: the same one begins no second run. */
  start(rule: IssueRule, event: HookEvent, delivery: string): Promise<Triggered> {
    const started = this.#turn.then(() => this.#start(rule, event, delivery));
    this.#turn = started.catch(() => {});
    return started;
  }

  /** Begins the run of a schedule. */
  async begin(rule: ScheduleRule): Promise<string> {
    return (await this.#begin(rule, rule.prompt)).run;
  }

  /** Takes up what a server before this one has begun: its comments are kept up to date again. */
  takeUp(rules: readonly IssueRule[]): Promise<void> {
    const taken = this.#turn.then(() => this.#takeUp(rules));
    this.#turn = taken.catch(() => {});
    return taken;
  }

  async #takeUp(rules: readonly IssueRule[]): Promise<void> {
    for (const followed of await this.#host.followed.entries()) {
      const { rule: by, run } = followed;
      const rule = rules.find(
        ({ source, on, match, repository }) =>
          source === by.source && on === by.on && match === by.match && repository === by.repository,
      );
      // Its rule was taken out.
      if (rule) this.#follow(rule, followed);
      else await this.#host.followed.forget(run);
    }
  }

  /** Tells no more of the runs: a server that starts again does. */
  async stop(): Promise<void> {
    this.#stop.abort();
    await Promise.all(this.#following);
  }

  async #start(rule: IssueRule, event: HookEvent, delivery: string): Promise<Triggered> {
    const { loops, followed, say } = this.#host;
    const named = runIdOf(delivery, rule, event.at);
    if (await loops.log.run(named)) return { kind: 'again', run: named };
    const busy = this.#open.get(keyOf(event));
    if (busy !== undefined) return { kind: busy === named ? 'again' : 'busy', run: busy };
    const begun = await this.#begin(rule, promptOf(event), named);
    if (begun.kind === 'again') return begun;
    const { source, repository, issue, url } = event;
    const { on, match } = rule;
    const one = {
      run: begun.run,
      rule: { source, on, match, repository: rule.repository },
      event: { source, repository, issue, url },
      comment: null,
    };
    await followed.note(one).catch((error: unknown) => say(`a restart will not know of it: ${messageOf(error)}`));
    this.#follow(rule, one);
    return begun;
  }

  async #begin(rule: IssueRule | ScheduleRule, prompt: string, named?: string): Promise<Triggered> {
    const { loops, defaults, keep } = this.#host;
    if (rule.submit) {
      const { run, isNew } = await loops.submit(submissionBy(rule, prompt), named);
      return { kind: isNew ? 'submitted' : 'again', run };
    }
    const live = await loops.start(optionsBy(rule, prompt, defaults), undefined, named);
    keep(live);
    return { kind: 'started', run: live.run };
  }

  #follow(rule: IssueRule, followed: Omit<FollowedIssue, 'store'>): void {
    const { say } = this.#host;
    const key = keyOf(followed.event);
    this.#open.set(key, followed.run);
    const told = this.#tell(rule, followed)
      .catch((error: unknown) => say(`${followed.run}: ${messageOf(error)}`))
      .finally(() => {
        this.#open.delete(key);
        this.#following.delete(told);
      });
    this.#following.add(told);
  }

  async #tell(rule: IssueRule, followed: Omit<FollowedIssue, 'store'>): Promise<void> {
    const { environment, say, loops, defaults, followed: kept } = this.#host;
    const { run, event } = followed;
    const token = environment[tokenVariableOf(rule)] ?? '';
    const hasComment = token !== '' && event.issue !== '';
    const comment = hasComment ? new IssueComment({ event, api: rule.api, token }, followed.comment) : null;
    const noted = (id: string) => kept.note({ ...followed, comment: id }).catch(() => {});
    const tell = (lines: readonly string[]) => comment?.update(commentText(run, lines), noted);
    const ending = await followRun(loops, { run, signal: this.#stop.signal, tell });
    const failure = await comment?.written();
    if (failure) say(`the comment of run ${run} was not written: ${failure}`);
    if (ending === null) return;
    await kept.forget(run).catch(() => {});
    const { atEnd } = rule;
    const directory = defaults.directory ?? process.cwd();
    const failed = atEnd === undefined ? null : await runEndCommand({ command: atEnd, directory, run, ending, event });
    if (failed !== null) say(`the command at the end of run ${run} has failed: ${failed}`);
  }
}

const keyOf = ({ source, repository, issue, url }: FollowedIssue['event']): string =>
  `${source}/${repository}/${issue || url}`;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
