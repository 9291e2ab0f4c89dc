import type { ChangedFile, Usage } from '../../machines/events.ts';
import { usageOf } from '../../machines/life.ts';
import { addSpend, NO_SPEND, type Spend } from '../../machines/outcome.ts';
import type { RunSettings } from '../../machines/settings.ts';
import { type Phase, PHASES } from '../budget/phase.ts';
import { tokensOf } from '../budget/limit-use.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { AskedQuestion, Request } from '../kernel/loop-description.ts';
import { accessText } from '../kernel/access-through-walls.ts';
import { additionsOf, spentBy, LoopInView } from './loop-in-view.ts';
import { Asking } from './questions.ts';

/** The requests to one model, and their cost. */
export interface ModelAccount {
  readonly model: string;
  /** Requests that the provider received, failures included. */
  readonly requests: number;
  readonly inputTokens: number;
  readonly outputTokens: number;
  /** Parts of the first two. */
  readonly cachedInputTokens: number;
  readonly reasoningTokens: number;
  /** Tokens that were estimated, not counted by the provider. */
  readonly estimatedTokens: number;
  /** Billionths of a US dollar; null where no price was known for any request. */
  readonly costNanoUsd: number | null;
  /** Requests with tokens and without a price. */
  readonly unpriced: number;
  /** The sources of the prices. */
  readonly priceSources: readonly string[];
}

/** The usage of one phase. The phases add up to the spend. */
export interface PhaseAccount {
  readonly phase: Phase;
  /** Input and output. */
  readonly tokens: number;
  /** Billionths of a US dollar, for the requests with a price. */
  readonly costNanoUsd: number;
}

/** A question to a user, and the answer. */
export interface Asked {
  readonly run: string;
  readonly callId: string;
  readonly text: string;
  /** Null until it is answered. */
  readonly answer: string | null;
}

type Mutable<Shape> = { -readonly [name in keyof Shape]: Shape[name] };

/**
 * The usage of a tree of runs by model and phase, with retries, limits and questions. Runs are observed one after
 * another, each from its first fact.
 *
 * @example
 * const account = new Account(loops);
 * for await (const envelope of log.read(run)) account.observe(factOf(envelope));
 * account.models;
 */
export class Account {
  retries = 0;
  limits = 0;
  /** The waits that providers asked for, in milliseconds, whether or not they were waited out. */
  limitedMs = 0;
  readonly replaced: { readonly from: string; readonly to: string; readonly because: string }[] = [];
  readonly steered: string[] = [];
  /** Idle time: paused, or between a crash and the resumption. */
  idleMs = 0;
  readonly #models = new Map<string, Mutable<ModelAccount>>();
  /** The questions of each run. */
  readonly #asking: Asking[] = [];
  readonly #files = new Map<string, ChangedFile>();
  #spend = NO_SPEND;
  readonly #phases = new Map<Phase, Mutable<PhaseAccount>>();
  #isAttempt = false;
  #isHandedOver = false;
  /** Whether the run's usage is counted in an ancestor that never received its result. */
  #isCounted = false;
  /** Runs that charged the whole reservation of a descendant whose result they never received. */
  readonly #givenUpBy = new Set<string>();
  readonly #settled = new Set<string>();
  #model = '';
  readonly #loops: readonly LoopDefinition[];
  readonly #inView: LoopInView;

  /** A run whose loop is not among `loops` is counted by the events of every loop alone. */
  constructor(loops: readonly LoopDefinition[]) {
    this.#loops = loops;
    this.#inView = new LoopInView(loops);
  }

  get models(): readonly ModelAccount[] {
    return [...this.#models.values()];
  }

  /** The phases with any usage. */
  get phases(): readonly PhaseAccount[] {
    return PHASES.flatMap((phase) => this.#phases.get(phase) ?? []);
  }

  /** The spend of all observed runs, including children whose parents have not recorded them yet. */
  get spend(): Spend {
    return this.#spend;
  }

  get asked(): readonly Asked[] {
    return this.#asking.flatMap((one) => one.asked().map(askedOf));
  }

  /**
   * Every changed file, with the sums over all captures: a line that one attempt adds and the next removes counts in
   * both.
   */
  get files(): readonly ChangedFile[] {
    return [...this.#files.values()];
  }

  observe(fact: Fact): void {
    const loop = this.#inView.observe(fact);
    const { phase = 'answers', request } = additionsOf(fact, loop);
    if (!this.#isCounted) this.#count(fact, loop, { phase, request });
    if (fact.type === 'run.started') this.#asking.push(new Asking(this.#loops));
    this.#asking.at(-1)?.observe(fact);
    if (request) this.#note(request, fact.at);
    switch (fact.type) {
      case 'run.started':
        this.#isCounted = this.#isCountedAbove(fact.run, fact.payload.settings.parent);
        this.#model = fact.payload.settings.model;
        this.#isAttempt = fact.payload.settings.parent !== null;
        this.#isHandedOver = fact.payload.settings.parent?.lineage !== undefined;
        break;
      case 'run.resumed':
      case 'run.continued':
        // An attempt is resumed with its parent: its idle time is the same.
        if (!this.#isAttempt) this.idleMs += fact.payload.idleMs;
        break;
      case 'workspace.captured':
        for (const file of fact.payload.changed) this.#changed(file);
        break;
      case 'child.settled':
        this.#settled.add(fact.payload.child);
        break;
      case 'run.steered':
        this.steered.push(fact.payload.text);
        break;
    }
  }

  #count(
    fact: Fact,
    loop: LoopDefinition | null,
    { phase, request }: { readonly phase: Phase; readonly request: Request | undefined },
  ): void {
    const spend = spentBy(fact, loop);
    if (!spend) return;
    this.#spend = addSpend(this.#spend, spend);
    this.#phase(spend, this.#isHandedOver ? 'children' : phase);
    const usage = usageOf(fact);
    if (usage) this.#used(usage, request);
    if (usage && isForChildren(fact, loop)) this.#givenUpBy.add(fact.run);
  }

  #note(request: Request, at: string): void {
    switch (request.kind) {
      case 'answered':
        break;
      case 'retried':
        this.retries += 1;
        break;
      case 'limited':
        this.limits += 1;
        this.limitedMs += Math.max(0, Date.parse(request.until) - Date.parse(at));
        break;
      case 'replaced': {
        const { from, to, because } = request;
        this.#model = to;
        this.replaced.push({ from, to, because });
        break;
      }
    }
  }

  /** The delegates of a lost run are lost with it. */
  #isCountedAbove(run: string, parent: RunSettings['parent']): boolean {
    const isLost = parent !== null && this.#givenUpBy.has(parent.run) && !this.#settled.has(run);
    if (isLost) this.#givenUpBy.add(run);
    return isLost;
  }

  #used(usage: Usage, request: Request | undefined): void {
    const tokens = tokensOf(usage);
    const answered = request?.kind === 'answered' ? request : null;
    // A request that never reached its provider does not count.
    if (tokens === 0 && !answered) return;
    const model = answered?.by || this.#model;
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

  #phase(spend: Spend, phase: Phase): void {
    const known = this.#phases.get(phase) ?? { phase, tokens: 0, costNanoUsd: 0 };
    known.tokens += tokensOf(spend);
    known.costNanoUsd += spend.costNanoUsd ?? 0;
    if (known.tokens > 0) this.#phases.set(phase, known);
  }

  #changed({ path, added, removed }: ChangedFile): void {
    const before = this.#files.get(path) ?? { path, added: 0, removed: 0 };
    this.#files.set(path, { path, added: sum(before.added, added), removed: sum(before.removed, removed) });
  }
}

/** Whether the usage of a fact stands for a child whose own usage is unknown. */
const isForChildren = ({ type }: Fact, loop: LoopDefinition | null): boolean =>
  type === 'timer.fired' || type === 'effect.interrupted' || loop?.unaccounted?.[type] !== undefined;

/** Null where git does not count the lines of one of them. */
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

/** A question as text; a request for permission names the path to read, one for an approval what it allows. */
const askedOf = ({ run, callId, text, path, opens, approval, answer }: AskedQuestion): Asked => ({
  run,
  callId,
  text:
    path === null
      ? `${text}${approval ? ` (allows: ${approval.allows})` : ''}`
      : `permission for ${accessText({ path, opens })}: ${text}`,
  answer,
});
