import type { ToolCall } from '../../machines/events.ts';
import { addUsage, usageOf } from '../../machines/life.ts';
import { addSpend, NO_SPEND, type Spend } from '../../machines/outcome.ts';
import { estimatedTokens } from '../budget/estimated-tokens.ts';
import type { Fact } from '../runtime/cast.ts';
import { formatMoney } from '../config/money.ts';
import { callArgument, elapsed, oneLine, tokensSpent } from '../projections/wording.ts';

interface Task {
  readonly what: string;
  /** Milliseconds since 1970. */
  readonly since: number;
}

const MAX_TASK_CHARS = 60;
const MAX_TOOL_CHARS = 30;

/** What a run is busy with right now, folded from its facts and from what is being said: for one line at a glance. */
export class Progress {
  #iteration: { readonly number: number; readonly of: number | null } | null = null;
  #maxIterations: number | null = null;
  #hasChecks = false;
  #step: number | null = null;
  #spend: Spend = NO_SPEND;
  #streamedChars = 0;
  /** By the run that waits, and what for: a call's id, or the one thing that it does beside no other. */
  readonly #tasks = new Map<string, Task>();
  readonly #calls = new Map<string, ToolCall>();

  /** What was spent before this process took the run up. */
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

  /** `iteration 2/5 · step 3 · shell npm test · 12 s · 8,400 tokens · $0.03`. Empty before anything has begun. */
  status(now: number): string {
    const task = this.#task(now);
    const { number, of } = this.#iteration ?? { number: null, of: null };
    const tokens = tokensSpent({ ...this.#spend, ...this.#streamed() });
    const parts = [
      number === null ? null : `iteration ${number}${of === null ? '' : `/${of}`}`,
      this.#step === null ? null : `step ${this.#step}`,
      task?.what,
      task && elapsed(task.forMs),
      tokens,
      this.#spend.costNanoUsd === undefined ? null : formatMoney(this.#spend.costNanoUsd),
    ];
    return parts.filter((part) => part).join(' · ');
  }

  /** What is being waited for, and how long it has taken so far. */
  waiting(now: number): string {
    const task = this.#task(now);
    return task ? `still at it: ${task.what}, for ${elapsed(task.forMs)}` : 'still at it';
  }

  #task(now: number): { readonly what: string; readonly forMs: number } | null {
    const [first, ...more] = this.#tasks.values();
    if (!first) return null;
    const what = more.length === 0 ? first.what : `${first.what} and ${more.length} more`;
    return { what, forMs: Math.max(0, now - first.since) };
  }

  #streamed(): Partial<Spend> {
    if (this.#streamedChars === 0) return {};
    const tokens = estimatedTokens(this.#streamedChars);
    const { outputTokens, estimatedTokens: before = 0 } = this.#spend;
    return { outputTokens: outputTokens + tokens, estimatedTokens: before + tokens };
  }

  #note(fact: Fact): void {
    switch (fact.type) {
      case 'run.started':
        // An attempt says itself what it is about.
        if (fact.payload.settings.parent) this.#over(fact.payload.settings.parent.run, '');
        if (fact.payload.settings.parent) break;
        this.#maxIterations = fact.payload.settings.limits.maxIterations;
        this.#hasChecks = fact.payload.settings.checks.length > 0;
        break;
      case 'run.resumed':
        for (const [key, { what }] of this.#tasks) this.#tasks.set(key, { what, since: Date.parse(fact.at) });
        break;
      case 'run.continued':
        this.#maxIterations = fact.payload.limits.maxIterations;
        break;
      case 'iteration.started':
        this.#iteration = { number: fact.payload.iteration + 1, of: this.#maxIterations };
        this.#step = null;
        this.#only('an attempt', fact);
        break;
      case 'step.started':
        this.#step = fact.payload.step + 1;
        this.#only('the model', fact);
        break;
      case 'model.completed':
        this.#over(fact.run);
        for (const call of fact.payload.calls) this.#calls.set(`${fact.run} ${call.callId}`, call);
        break;
      case 'calls.admitted':
        for (const { callId } of fact.payload.run) this.#begin(callId, this.#callText(fact.run, callId), fact);
        break;
      case 'tool.completed':
      case 'tool.failed':
      case 'tool.interrupted':
      case 'person.answered':
        this.#over(fact.run, fact.payload.callId);
        this.#calls.delete(`${fact.run} ${fact.payload.callId}`);
        break;
      case 'model.limited':
        this.#only(`the provider's rate limit, until ${fact.payload.retryAt.slice(11, 19)} UTC`, fact);
        break;
      case 'model.retried':
      case 'model.replaced':
        this.#only('the model', fact);
        break;
      case 'timer.fired':
        if (fact.payload.timer === 'retry') this.#only('the model', fact);
        break;
      case 'child.settled':
        this.#over(fact.payload.child);
        if (fact.payload.callId !== undefined) {
          this.#over(fact.run, fact.payload.callId);
          break;
        }
        this.#step = null;
        this.#only('git', fact);
        break;
      case 'workspace.captured':
        if (this.#hasChecks) this.#only('the checks', fact);
        break;
      case 'decision.made':
        if (fact.payload.sink) this.#over(fact.run);
        break;
      case 'model.failed':
      case 'model.interrupted':
      case 'effect.interrupted':
      case 'workspace.failed':
      case 'verification.completed':
        this.#over(fact.run);
        break;
    }
  }

  #callText(run: string, callId: string): string {
    const call = this.#calls.get(`${run} ${callId}`);
    return call ? `${oneLine(call.tool, MAX_TOOL_CHARS)} ${callArgument(call, MAX_TASK_CHARS)}`.trimEnd() : 'a call';
  }

  #only(what: string, fact: Fact): void {
    this.#over(fact.run);
    this.#begin('', what, fact);
  }

  #begin(key: string, what: string, { run, at }: Fact): void {
    this.#tasks.set(`${run} ${key}`, { what, since: Date.parse(at) });
  }

  /** One thing that a run has waited for is over, or all of them are. */
  #over(run: string, key?: string): void {
    if (key !== undefined) this.#tasks.delete(`${run} ${key}`);
    else for (const task of this.#tasks.keys()) if (task.startsWith(`${run} `)) this.#tasks.delete(task);
  }
}
