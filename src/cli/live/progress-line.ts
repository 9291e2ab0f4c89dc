import { addUsage, usageOf } from '../../../machines/life.ts';
import { addSpend, NO_SPEND, type Spend } from '../../../machines/outcome.ts';
import { estimatedTokens } from '../../budget/message-length.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Wait } from '../../kernel/narration.ts';
import { formatMoney } from '../../text/money.ts';
import { elapsed, tokensSpent } from '../../projections/phrases.ts';
import { hasHeadlines, wordsOf } from '../pages/loop-text.ts';
import { type Watched, WatchedRuns } from './watch-runs.ts';
import { TestsSeen } from './tests-seen.ts';

interface Task {
  readonly what: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

const AFTER_WORK = 'the checks';
const BEFORE_WORK = 'the checks, before any work';
const CHECKS: ReadonlySet<string> = new Set([AFTER_WORK, BEFORE_WORK]);

/** What a run is doing now, folded from its facts and from streamed text: for the status line. */
export class Progress {
  readonly #runs: WatchedRuns;
  /** The current round with a headline, and the inner round within it. */
  #outerRound: string | null = null;
  #innerRound: string | null = null;
  #spend: Spend = NO_SPEND;
  #streamedChars = 0;
  readonly #tests = new TestsSeen();
  /** By run and key. The key is the loop's, or empty for a task that runs alone. */
  readonly #tasks = new Map<string, Task>();

  constructor(loops: readonly LoopDefinition[]) {
    this.#runs = new WatchedRuns(loops);
  }

  /** Counts what was spent before this process resumed the run. */
  recall(fact: Fact): void {
    const usage = usageOf(fact);
    if (usage) this.#spend = addUsage(this.#spend, usage);
    if (fact.type === 'child.settled') this.#spend = addSpend(this.#spend, fact.payload.spend);
    this.#note(fact);
  }

  observe(fact: Fact): void {
    const usage = usageOf(fact);
    if (usage) {
      this.#spend = addUsage(this.#spend, usage);
      this.#streamedChars = 0;
    }
    this.#note(fact);
  }

  heard(text: string): void {
    this.#streamedChars += text.length;
  }

  /** What a command has printed: checks tell of their tests. */
  printed(text: string): void {
    if (this.#isChecking) this.#tests.printed(text);
  }

  /** `iteration 2/5 · step 3 · shell npm test · 12 s · 8,400 tokens · $0.03`. Empty before anything has begun. */
  status(now: number): string {
    const task = this.#task(now);
    const tokens = tokensSpent({ ...this.#spend, ...this.#streamed() });
    const parts = [
      this.#outerRound,
      this.#innerRound,
      task?.what,
      task && elapsed(task.forMs),
      tokens,
      this.#spend.costNanoUsd === undefined ? null : formatMoney(this.#spend.costNanoUsd),
    ];
    return parts.filter((part) => part).join(' · ');
  }

  /** What the run is waiting for, and for how long. */
  waiting(now: number): string {
    const task = this.#task(now);
    return task ? `still at it: ${task.what}, for ${elapsed(task.forMs)}` : 'still at it';
  }

  #task(now: number): { readonly what: string; readonly forMs: number } | null {
    const [first, ...more] = this.#tasks.values();
    if (!first) return null;
    const tests = this.#isChecking ? this.#tests.text() : null;
    const named = tests === null ? first.what : `${first.what}, ${tests}`;
    const what = more.length === 0 ? named : `${named} and ${more.length} more`;
    return { what, forMs: Math.max(0, now - first.since) };
  }

  get #isChecking(): boolean {
    const [first] = this.#tasks.values();
    return first !== undefined && CHECKS.has(first.what);
  }

  #streamed(): Partial<Spend> {
    if (this.#streamedChars === 0) return {};
    const tokens = estimatedTokens(this.#streamedChars);
    const { outputTokens, estimatedTokens: before = 0 } = this.#spend;
    return { outputTokens: outputTokens + tokens, estimatedTokens: before + tokens };
  }

  #note(fact: Fact): void {
    const watched = this.#runs.observe(fact);
    if (watched.beginsRound) this.#beginRound(watched);
    if (watched.told) for (const wait of watched.told.waits ?? []) this.#wait(wait, fact);
    else this.#waitAsAny(fact, watched);
  }

  #beginRound({ loop, rounds, mostRounds }: Watched): void {
    const name = `${wordsOf(loop).round} ${rounds}`;
    if (!hasHeadlines(loop)) {
      this.#innerRound = name;
      return;
    }
    this.#outerRound = mostRounds === null ? name : `${name}/${mostRounds}`;
    this.#innerRound = null;
  }

  /** What an event of every loop says about what the run waits for. */
  #waitAsAny(fact: Fact, { loop, hasChecks, beginsRound }: Watched): void {
    if (beginsRound && loop?.describe.child !== undefined) this.#only(withArticle(loop.describe.child), fact);
    switch (fact.type) {
      case 'run.started':
        // The child run that performs a round reports its own tasks.
        if (fact.payload.settings.parent) this.#over(fact.payload.settings.parent.run, '');
        break;
      case 'run.resumed':
        for (const [key, { what }] of this.#tasks) this.#tasks.set(key, { what, since: Date.parse(fact.at) });
        break;
      case 'child.settled':
        this.#over(fact.payload.child);
        if (fact.payload.callId !== undefined) {
          this.#over(fact.run, fact.payload.callId);
          break;
        }
        this.#innerRound = null;
        if (loop?.settings?.needsGit) this.#only('git', fact);
        else this.#over(fact.run);
        break;
      case 'workspace.captured':
        if (hasChecks) this.#check(AFTER_WORK, fact);
        break;
      case 'decision.made':
        if (fact.payload.sink) this.#only('the summary', fact);
        // The first decision is for the checks on the base, where it begins no round.
        else if (hasChecks && fact.payload.evidence.length === 0) this.#check(BEFORE_WORK, fact);
        break;
      case 'baseline.taken':
      case 'verification.completed':
        this.#tests.end();
        this.#over(fact.run);
        break;
      case 'effect.interrupted':
      case 'workspace.failed':
      case 'summary.written':
        this.#over(fact.run);
        break;
    }
  }

  #check(what: string, fact: Fact): void {
    this.#tests.begin();
    this.#only(what, fact);
  }

  #wait(wait: Wait, fact: Fact): void {
    switch (wait.kind) {
      case 'only':
        return this.#only(wait.what, fact);
      case 'also':
        return this.#begin(wait.key, wait.what, fact);
      case 'over':
        return this.#over(fact.run, wait.key);
    }
  }

  #only(what: string, fact: Fact): void {
    this.#over(fact.run);
    this.#begin('', what, fact);
  }

  #begin(key: string, what: string, { run, at }: Fact): void {
    this.#tasks.set(`${run} ${key}`, { what, since: Date.parse(at) });
  }

  /** Ends one task of a run, or all of them. */
  #over(run: string, key?: string): void {
    if (key !== undefined) this.#tasks.delete(`${run} ${key}`);
    else for (const task of this.#tasks.keys()) if (task.startsWith(`${run} `)) this.#tasks.delete(task);
  }
}

const withArticle = (noun: string): string => `${/^[aeiou]/i.test(noun) ? 'an' : 'a'} ${noun}`;
