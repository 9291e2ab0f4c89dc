import type { ChangedFile, EventOf } from '../../../machines/events.ts';
import type { StateChanges, StateEdit } from '../../../machines/ralph-facts.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import { UNLIMITED } from '../../ralph/maximum.ts';
import { RalphLoopOptions } from '../../ralph/ralph-options.ts';
import type { RalphState } from '../../ralph/ralph-state.ts';
import { IterationMemory } from '../iteration/memory.ts';
import { leftAfterChange, leftAfterDenial, leftAfterWriting, type LeftInFile, NOTHING_LEFT } from './sort-changes.ts';

/** What a Ralph loop is about, as people have changed it, beside the iterations that its strategy sees. */
export class RalphMemory extends IterationMemory {
  prompt: string;
  /** As the file has it: 0 is unlimited, below the ceiling. */
  maximum: number;
  /** What the file's iteration is ahead of the iterations that have run. */
  ahead = 0;
  promise: string | null;
  /** A promise counts without passed checks. */
  readonly believesPromise: boolean;
  startedAt = '';
  /** The last message of the newest attempt: its text, and the answer that a call in it gave. */
  said: readonly string[] = [];
  /** What the newest attempt changed, as its capture lists it. */
  changed: readonly ChangedFile[] = [];
  /** How many checks passed after each iteration, oldest first. Null: none ran. */
  readonly passed: (number | null)[] = [];
  /** Why the run ends: the newest decision. */
  reason = '';
  /** When the file was read or written last. */
  lookedAt: string | null = null;
  /** What lies in the file and does not count. */
  left: LeftInFile = NOTHING_LEFT;
  /** The agent could have damaged it, so whatever it says once it is mended may be the agent's. */
  isDoubtful = false;
  /** Of the file as an edit was read in it last. */
  readDigest: string | null = null;
  /** The run, and those whose past it shares: a file may name any of them. */
  readonly #runs = new Set<string>();
  readonly #run: string;
  #hasWritten = false;
  #hasBegunAgain = false;

  constructor(run: string, settings: RunSettings) {
    super(run, settings);
    this.#run = run;
    this.#runs.add(run);
    this.prompt = settings.prompt;
    const { completionPromise, believe, isUnlimited } = ralphOptionsOf(settings);
    this.maximum = isUnlimited ? UNLIMITED : (settings.limits.maxIterations ?? UNLIMITED);
    this.promise = completionPromise;
    this.believesPromise = believe === 'promised';
  }

  override observe(fact: Fact): void {
    super.observe(fact);
    this.#runs.add(fact.run);
    this.#observeRun(fact);
    this.#observeIteration(fact);
    this.#observeFile(fact);
  }

  /** The run itself: its start, its newest decision, and its maximum where that is moved. */
  #observeRun(fact: Fact): void {
    switch (fact.type) {
      case 'run.started':
        this.startedAt = fact.at;
        break;
      case 'maximum.raised':
        this.maximum = fact.payload.to + this.ahead;
        break;
      case 'run.resumed':
        this.#hasBegunAgain = true;
        break;
      case 'run.continued':
        this.#hasBegunAgain = true;
        this.maximum = fact.payload.limits.maxIterations ?? UNLIMITED;
        this.ahead = 0;
        break;
      case 'decision.made':
        this.reason = fact.payload.reason;
        break;
    }
  }

  /** The newest iteration: its last message, its change and its checks. */
  #observeIteration(fact: Fact): void {
    switch (fact.type) {
      case 'iteration.started':
        this.said = [];
        this.changed = [];
        this.passed.push(null);
        break;
      case 'child.settled':
        this.said = [fact.payload.text ?? '', fact.payload.answer];
        break;
      case 'workspace.captured':
        this.changed = fact.payload.changed;
        break;
      case 'verification.completed':
        this.passed[this.passed.length - 1] = passedIn(fact.payload);
        break;
    }
  }

  /** The state file: written by the run, edited by people, damaged, and ruled on. */
  #observeFile(fact: Fact): void {
    switch (fact.type) {
      case 'state_file.written':
        this.lookedAt = fact.at;
        this.left = leftAfterWriting(Math.max(1, this.passed.length + this.ahead));
        this.isDoubtful = false;
        if (fact.run === this.#run) this.#hasWritten = true;
        break;
      case 'state_file.kept':
        this.lookedAt = fact.at;
        this.#readNothing(fact.payload.isMissing);
        break;
      case 'state_file.edited':
        this.lookedAt = fact.at;
        this.#read(fact.payload.edit);
        break;
      case 'state_file.noticed':
        this.lookedAt = fact.at;
        if (fact.payload.edit) this.#read(fact.payload.edit);
        else this.isDoubtful = true;
        break;
      case 'state_file.damaged':
        this.isDoubtful ||= fact.payload.by === 'unknown';
        break;
      case 'state_file.revisited':
        this.lookedAt = fact.at;
        if (fact.payload.edit) this.#read(fact.payload.edit);
        else if (fact.payload.damage) this.isDoubtful ||= fact.payload.damage.by === 'unknown';
        else this.#readNothing(false);
        break;
      case 'edit.approved':
        this.#apply(this.left.held);
        break;
      case 'edit.denied':
        this.left = leftAfterDenial(this.left);
        break;
    }
  }

  /** As people have edited it. */
  get task(): string {
    return this.prompt;
  }

  /** Whether a file with this session belongs to the run. One without a session is taken for its own. */
  isOwn(session: string | null): boolean {
    return session === null || this.#runs.has(session);
  }

  /**
   * Whether a file was closed by the end of a run whose past this one shares. That end is not in the shared past. Once
   * the run has written the file itself, only a person or the agent can have put such a file back.
   */
  isClosedByEarlier({ active, sessionId, deactivatedReason }: RalphState): boolean {
    if (this.#hasWritten || active || deactivatedReason === undefined) return false;
    return sessionId !== null && sessionId !== this.#run && this.#runs.has(sessionId);
  }

  /**
   * Whether a file of another run may be replaced by the first writing: one that is not active, or one that a new run
   * was started beside, which is refused unless the other run has ended. A run that was resumed since is no new one:
   * the file may be that of a run which has begun meanwhile. `digest`: of the file as this run has left it.
   */
  mayReplace({ active }: RalphState, digest: string | null): boolean {
    if (this.#hasWritten) return false;
    return !active || (digest === null && !this.#hasBegunAgain);
  }

  /** The file is as the run has left it, or gone. */
  #readNothing(isMissing: boolean): void {
    this.isDoubtful = false;
    this.left = isMissing ? NOTHING_LEFT : { ...this.left, held: {} };
  }

  #read({ held, changes, digest, persons = {} }: StateEdit): void {
    this.readDigest = digest;
    this.isDoubtful = false;
    // What stops the loop changes nothing else, as the context has it: older logs name such changes, too.
    if (changes.active === false) this.#apply({});
    else this.#apply(held ? persons : changes);
    if (held) this.left = { ...this.left, held: changes };
  }

  #apply(changes: StateChanges): void {
    const { originalPrompt = this.prompt, completionPromise = this.promise, maxIterations = this.maximum } = changes;
    this.left = leftAfterChange(this.left, changes);
    this.prompt = originalPrompt;
    this.promise = completionPromise;
    this.maximum = maxIterations;
    if (changes.iteration !== undefined) this.ahead = changes.iteration - this.passed.length;
  }
}

/** The loop's own options of a run, with the defaults. Older runs have recorded a `stateFile`, too: it is left out. */
export function ralphOptionsOf({ options }: Pick<RunSettings, 'options'>): RalphLoopOptions {
  const known = Object.entries(options ?? {}).filter(([name]) => name !== 'stateFile');
  return RalphLoopOptions.parse(Object.fromEntries(known));
}

const passedIn = ({ levels }: EventOf<'verification.completed'>['payload']): number =>
  levels.flatMap(({ checks }) => checks).filter(({ passed }) => passed).length;
