import type { Tries } from '../../actors/model/model-actor.ts';
import type { EventOf, LeftOut, Remade, Share } from '../../../machines/events.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { EarlierVerdicts } from '../../verification/earlier-verdict.ts';
import { JudgeMemory } from '../../judging/judge-memory.ts';
import { disputesWith, NO_DISPUTES, type PastDisputes } from '../../evidence/dispute.ts';
import type { Conversation, LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Access } from '../../kernel/access-through-walls.ts';
import type { DetectorsFor } from '../../judging/detector-set.ts';

/** How many steering texts are repeated to each later attempt: the newest ones. */
const MAX_STEERING = 20;

const NO_TRIES: Tries = { retried: 0, limited: 0 };

/**
 * What the effect handlers of one run remember of its log. Nothing here is stored: it is folded anew from the facts.
 */
export class HandlerMemory {
  /** Null: its loop has none. */
  conversation: Conversation | null;
  readonly judge: JudgeMemory;
  /** The fallback model that has replaced the run's model. */
  replacement: string | null = null;
  /** Failed tries for the newest answer. */
  tries: Tries = NO_TRIES;
  /** Real paths outside the workspace that a person has approved for reading. */
  readable: readonly string[] = [];
  /** What a person has opened to the commands of the run, beside its settings. */
  opened: readonly Access[] = [];
  /** Steering texts that the run and its attempts so far have received. Oldest first. */
  steering: readonly string[] = [];
  feedback: string | null = null;
  captures = 0;
  /** How the checks went on the base. */
  baseline: EventOf<'baseline.taken'>['payload'] | null = null;
  /** The first of them: where a loop moves its base, how the checks went on what the run began with. */
  firstBaseline: EventOf<'baseline.taken'>['payload'] | null = null;
  /** How often changed grounds decided, and what a person ruled. */
  disputes: PastDisputes = NO_DISPUTES;
  /** The number of verifications that found an unsteady test. */
  unsteadyBefore = 0;
  /** What checks of this run in this process have found, for trees that come again. */
  readonly verdicts: EarlierVerdicts = new Map();
  /** Tree hash of the newest capture. */
  captured: string | null = null;
  /** Paths that it lacks. */
  leftOut: readonly LeftOut[] = [];
  /** From what the worktree was made again in this round of the loop or the one before it. */
  remade: Remade | null = null;
  #roundsSinceRemade = 0;
  childAnswer = '';
  childText: string | null = null;
  /** The newest run that did a round of the loop. */
  child: string | null = null;
  /** The share of each delegating call of the newest answer. */
  shares: ReadonlyMap<string, Share> = new Map();
  /** As continuations have changed them, for child runs. */
  settings: RunSettings;

  constructor(run: string, settings: RunSettings, watching: DetectorsFor, loop: LoopDefinition) {
    this.judge = new JudgeMemory(run, settings, watching, loop);
    this.conversation = loop.conversation?.() ?? null;
    this.settings = settings;
  }

  get loop(): LoopDefinition {
    return this.judge.loop;
  }

  /** The newest answer: of the loop's own model, or of its last child. */
  answer(): string {
    return this.conversation?.answer() ?? this.childAnswer;
  }

  /** The text of the message that gave the answer, where a call in that message did. */
  text(): string | null {
    return this.conversation ? (this.conversation.text?.() ?? null) : this.childText;
  }

  observe(fact: Fact): void {
    const before = this.loop;
    this.judge.observe(fact);
    if (this.loop.conversation !== before.conversation) {
      this.conversation = this.loop.conversation?.(this.conversation ?? undefined) ?? null;
    }
    this.conversation?.observe(fact);
    this.#noteRemade(fact);
    this.#observeModel(fact);
    this.#observePeople(fact);
    this.#observeWork(fact);
    this.#observeChildren(fact);
    if (fact.type === 'run.continued') this.#continue(fact.payload);
  }

  /** Tries for an answer, and the model that gives it. */
  #observeModel(fact: Fact): void {
    switch (fact.type) {
      case 'step.started':
        this.tries = NO_TRIES;
        break;
      case 'model.retried':
        this.tries = { ...this.tries, retried: this.tries.retried + 1 };
        break;
      case 'model.limited':
        this.tries = { ...this.tries, limited: this.tries.limited + 1 };
        break;
      case 'model.replaced':
        this.replacement = fact.payload.to;
        this.tries = NO_TRIES;
        break;
    }
  }

  /** Texts and rulings of people. */
  #observePeople(fact: Fact): void {
    switch (fact.type) {
      case 'person.answered':
        if (fact.payload.access?.granted) this.#noteAccess(fact.payload.access);
        break;
      case 'run.steered':
        this.#steer([fact.payload.text]);
        break;
      case 'grounds.approved':
      case 'grounds.denied':
        this.disputes = disputesWith(this.disputes, fact);
        break;
    }
  }

  /** Captures and checks of the work, and the decision after them. */
  #observeWork(fact: Fact): void {
    switch (fact.type) {
      case 'workspace.captured':
        this.captures += 1;
        this.captured = fact.payload.hash;
        this.leftOut = fact.payload.leftOut ?? [];
        break;
      case 'baseline.taken':
        this.baseline = fact.payload;
        this.firstBaseline ??= fact.payload;
        break;
      case 'verification.completed':
        if (fact.payload.proof?.unsteady) this.unsteadyBefore += 1;
        this.disputes = disputesWith(this.disputes, fact);
        break;
      case 'decision.made':
        this.feedback = fact.payload.feedback ?? null;
        break;
    }
  }

  /** Shares of the runs that calls open, and what runs below this one came to. */
  #observeChildren(fact: Fact): void {
    switch (fact.type) {
      case 'calls.admitted':
        this.shares = new Map(
          fact.payload.run.flatMap(({ callId, share }) => (share ? [[callId, share] as const] : [])),
        );
        break;
      case 'child.settled':
        this.childAnswer = fact.payload.answer;
        this.childText = fact.payload.text ?? null;
        if (fact.payload.callId === undefined) this.child = fact.payload.child;
        this.#steer(fact.payload.steering ?? []);
        break;
    }
  }

  #continue({ attemptLimits, detectors, prices }: EventOf<'run.continued'>['payload']): void {
    this.settings = {
      ...this.settings,
      attemptLimits,
      ...(detectors ? { detectors } : {}),
      ...(prices ? { prices } : {}),
    };
  }

  /** Whether an attempt of that round had begun is not known here: the one after it is told, too. */
  #noteRemade({ type, payload }: Fact): void {
    if ((type === 'run.resumed' || type === 'run.continued') && payload.remade) {
      this.remade = payload.remade;
      this.#roundsSinceRemade = 0;
    }
    if (type !== this.loop.rounds.started) return;
    this.#roundsSinceRemade += 1;
    if (this.#roundsSinceRemade > 1) this.remade = null;
  }

  #noteAccess(access: Access): void {
    if (access.opens === undefined) this.readable = [...this.readable, access.path];
    else this.opened = [...this.opened, access];
  }

  #steer(texts: readonly string[]): void {
    this.steering = [...this.steering, ...texts].slice(-MAX_STEERING);
  }
}
