import type { ChangedFile, EventOf, ToolCall, Usage } from '../../machines/events.ts';
import { addUsage, usageOf } from '../../machines/life.ts';
import { addSpend, NO_SPEND, type Spend } from '../../machines/outcome.ts';
import type { RunSettings } from '../../machines/settings.ts';
import type { Fact } from '../runtime/cast.ts';
import { type Phase, phaseOf, PHASES } from './phase.ts';
import { askedIn } from './questions.ts';

/** What one model was used for and what that cost. */
export interface ModelAccount {
  readonly model: string;
  /** Times it was asked and something came of it that counts, failures included. */
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Parts of the first two. */
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
  /** Tokens that no provider counted. */
  readonly estimatedTokens: number;
  /** Billionths of a US dollar; null where no price was known for any request. */
  readonly costNanoUsd: number | null;
  /** Requests with tokens and without a price. */
  readonly unpriced: number;
  /** Who named the prices. */
  readonly priceSources: readonly string[];
}

/** What one phase has used. All of them together are the spend. */
export interface PhaseAccount {
  readonly phase: Phase;
  /** Input and output. */
  readonly tokens: number;
  /** Billionths of a US dollar, of what had a price. */
  readonly costNanoUsd: number;
}

/** Something a person was asked for, and what came of it. */
export interface Asked {
  readonly run: string;
  readonly callId: string;
  readonly text: string;
  /** Null until it is answered. */
  readonly answer: string | null;
}

type Mutable<Shape> = { -readonly [name in keyof Shape]: Shape[name] };

/**
 * What a tree of runs has used, model by model, and what came in its way. Runs are observed one after another, each from
 * its first fact.
 *
 * @example
 * const account = new Account();
 * for await (const envelope of log.read(run)) account.observe(factOf(envelope));
 * account.models;
 */
export class Account {
  retries = 0;
  limits = 0;
  /** Asked for by providers, whether it was waited for to the end or not. */
  limitedMs = 0;
  readonly replaced: { readonly from: string; readonly to: string; readonly because: string }[] = [];
  readonly steered: string[] = [];
  /** How long nobody worked on it: paused, or between a crash and what came after. */
  idleMs = 0;
  readonly #models = new Map<string, Mutable<ModelAccount>>();
  readonly #asked: Mutable<Asked>[] = [];
  readonly #files = new Map<string, ChangedFile>();
  #spend = NO_SPEND;
  readonly #phases = new Map<Phase, Mutable<PhaseAccount>>();
  #isAttempt = false;
  #isHandedOver = false;
  /** What the run used is counted with a run above it, which did not hear how it ended. */
  #isCounted = false;
  /** Runs that have counted all that was set aside for whoever they did not hear of. */
  readonly #givenUpBy = new Set<string>();
  readonly #settled = new Set<string>();
  #model = '';
  #calls: readonly ToolCall[] = [];

  get models(): readonly ModelAccount[] {
    return [...this.#models.values()];
  }

  /** Those that have used anything. */
  get phases(): readonly PhaseAccount[] {
    return PHASES.flatMap((phase) => this.#phases.get(phase) ?? []);
  }

  /** Of all runs observed, also of those whose parents do not know yet. */
  get spend(): Spend {
    return this.#spend;
  }

  get asked(): readonly Asked[] {
    return this.#asked;
  }

  /** Every file that was changed, with the sums over all captures: what one attempt adds and the next removes counts in both. */
  get files(): readonly ChangedFile[] {
    return [...this.#files.values()];
  }

  observe(fact: Fact): void {
    const usage = usageOf(fact);
    if (usage && !this.#isCounted) {
      this.#used(usage, fact);
      this.#spend = addUsage(this.#spend, usage);
      this.#phase(usage, phaseOf(fact, this.#isHandedOver));
      if (isForChildren(fact)) this.#givenUpBy.add(fact.run);
    }
    switch (fact.type) {
      case 'run.started':
        this.#isCounted = this.#isCountedAbove(fact.run, fact.payload.settings.parent);
        this.#model = fact.payload.settings.model;
        this.#isAttempt = fact.payload.settings.parent !== null;
        this.#isHandedOver = fact.payload.settings.parent?.lineage !== undefined;
        break;
      case 'run.resumed':
      case 'run.continued':
        // An attempt is resumed with its run: its idle time is the same.
        if (!this.#isAttempt) this.idleMs += fact.payload.idleMs;
        break;
      case 'workspace.captured':
        for (const file of fact.payload.changed) this.#changed(file);
        break;
      case 'step.started':
        this.#counts({ ...NO_SPEND, steps: 1 });
        break;
      case 'child.settled':
        this.#settled.add(fact.payload.child);
        break;
      case 'model.completed':
        this.#calls = fact.payload.calls;
        break;
      case 'model.retried':
        this.retries += 1;
        break;
      case 'model.limited':
        this.limits += 1;
        this.limitedMs += Math.max(0, Date.parse(fact.payload.retryAt) - Date.parse(fact.at));
        break;
      case 'model.replaced': {
        const { from, to, fault } = fact.payload;
        this.#model = to;
        this.replaced.push({ from, to, because: fault.message });
        break;
      }
      case 'run.steered':
        this.steered.push(fact.payload.text);
        break;
      case 'calls.admitted':
        this.#counts({ ...NO_SPEND, toolCalls: fact.payload.run.length });
        this.#asks(fact.run, fact.payload);
        break;
      case 'person.answered':
        this.#answered(fact.run, fact.payload);
        break;
    }
  }

  #counts(spend: Spend): void {
    if (!this.#isCounted) this.#spend = addSpend(this.#spend, spend);
  }

  /** What a lost run has handed on is lost with it. */
  #isCountedAbove(run: string, parent: RunSettings['parent']): boolean {
    const isLost = parent !== null && this.#givenUpBy.has(parent.run) && !this.#settled.has(run);
    if (isLost) this.#givenUpBy.add(run);
    return isLost;
  }

  #used(usage: Usage, fact: Fact): void {
    const tokens = usage.inputTokens + usage.outputTokens;
    // What never reached its provider has used nobody.
    if (tokens === 0 && fact.type !== 'model.completed') return;
    const model = (fact.type === 'model.completed' && fact.payload.model) || this.#model;
    const known = this.#models.get(model) ?? unused(model);
    known.requests += 1;
    known.inputTokens += usage.inputTokens;
    known.outputTokens += usage.outputTokens;
    known.cachedInputTokens += usage.cachedInputTokens ?? 0;
    known.reasoningTokens += usage.reasoningTokens ?? 0;
    if (usage.estimated) known.estimatedTokens += tokens;
    const { cost } = usage;
    if (cost) {
      known.costNanoUsd = (known.costNanoUsd ?? 0) + cost.nanoUsd;
      known.priceSources = [...new Set([...known.priceSources, ...(cost.price ? [cost.price.source] : [])])];
    } else if (tokens > 0) known.unpriced += 1;
    this.#models.set(model, known);
  }

  #phase({ inputTokens, outputTokens, cost }: Usage, phase: Phase): void {
    const known = this.#phases.get(phase) ?? { phase, tokens: 0, costNanoUsd: 0 };
    known.tokens += inputTokens + outputTokens;
    known.costNanoUsd += cost?.nanoUsd ?? 0;
    if (known.tokens > 0) this.#phases.set(phase, known);
  }

  #changed({ path, added, removed }: ChangedFile): void {
    const before = this.#files.get(path) ?? { path, added: 0, removed: 0 };
    this.#files.set(path, { path, added: sum(before.added, added), removed: sum(before.removed, removed) });
  }

  #asks(run: string, { run: admitted }: EventOf<'calls.admitted'>['payload']): void {
    for (const { callId } of admitted.filter(({ actor }) => actor === 'askPerson')) {
      const call = this.#calls.find((one) => one.callId === callId);
      this.#asked.push({ run, callId, text: call ? textOf(call) : callId, answer: null });
    }
  }

  #answered(run: string, { callId, answer, access }: EventOf<'person.answered'>['payload']): void {
    const asked = this.#asked.findLast((one) => one.run === run && one.callId === callId);
    if (asked) asked.answer = access ? `${access.granted ? 'granted' : 'denied'}: ${access.path}` : answer;
  }
}

/** Usage that stands for a run below, of which nobody has said what it used. */
const isForChildren = ({ type }: Fact): boolean => type === 'timer.fired' || type === 'tool.interrupted' || type === 'effect.interrupted';

/** Lines that git does not count make no sum. */
const sum = (one: number | null, other: number | null) => (one === null || other === null ? null : one + other);

const unused = (model: string): Mutable<ModelAccount> => ({
  model,
  requests: 0,
  inputTokens: 0,
  outputTokens: 0,
  cachedInputTokens: 0,
  reasoningTokens: 0,
  estimatedTokens: 0,
  costNanoUsd: null,
  unpriced: 0,
  priceSources: [],
});

/** The words a person was asked with, or the place that is to be read. */
function textOf(call: ToolCall): string {
  const { text, path } = askedIn(call);
  return path === null ? text : `leave to read ${path}: ${text}`;
}
