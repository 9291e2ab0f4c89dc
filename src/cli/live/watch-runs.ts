import { knownLoop, type Remedy, remedyAfter } from '../../projections/loop-in-view.ts';
import type { Fact } from '../../kernel/effect-handlers.ts';
import type { LoopDefinition } from '../../kernel/loop-definition.ts';
import type { Narration, Told } from '../../kernel/narration.ts';
import { Activities } from '../../projections/activities.ts';
import { LimitsInForce } from '../../projections/fold-run.ts';
import { mostRounds } from '../pages/loop-text.ts';

/** A watched run after one of its facts. */
export interface Watched {
  /** Null for a loop that is unknown here. */
  readonly loop: LoopDefinition | null;
  /** The loop's own lines for the fact. Null: the lines of every loop. */
  readonly told: Told | null;
  /** What the loop says of the activity that the fact is. */
  readonly activity: string | null;
  /** What a person has to do outside of the program before the run can go on. */
  readonly remedy: string | null;
  /** How many rounds have begun, and how many may, in the numbers that people know. */
  readonly rounds: number;
  readonly mostRounds: number | null;
  readonly beginsRound: boolean;
  /** How often the checks have run on what a round begins with. */
  readonly baselines: number;
  /** The fact decides on a round. */
  readonly endsRound: boolean;
  readonly hasChecks: boolean;
  /** The next capture will be checked, because the child succeeded. */
  readonly isToBeChecked: boolean;
}

interface Kept {
  loop: LoopDefinition | null;
  readonly limits: LimitsInForce;
  rounds: number;
  baselines: number;
  /** A round has a result that is not decided on yet. */
  isRoundOpen: boolean;
  isToBeChecked: boolean;
  narration: Narration | null;
  remedy: Remedy | null;
  /** Null: its loop says nothing of activities. */
  readonly activities: Activities | null;
  readonly hasChecks: boolean;
}

const UNSEEN: Watched = {
  loop: null,
  told: null,
  activity: null,
  remedy: null,
  rounds: 0,
  mostRounds: null,
  beginsRound: false,
  baselines: 0,
  endsRound: false,
  hasChecks: false,
  isToBeChecked: false,
};

/** The runs of a tree while they are watched, each with its loop, folded from their facts. */
export class WatchedRuns {
  readonly #loops: readonly LoopDefinition[];
  readonly #runs = new Map<string, Kept>();
  #root: Kept | null = null;

  constructor(loops: readonly LoopDefinition[]) {
    this.#loops = loops;
  }

  observe(fact: Fact): Watched {
    if (fact.type === 'run.started') this.#begin(fact.run, fact.payload);
    // A continuation shares the beginning of another run.
    if (fact.type === 'run.continued' && this.#root) this.#runs.set(fact.run, this.#root);
    if (fact.type === 'child.settled') this.#runs.delete(fact.payload.child);
    const run = this.#runs.get(fact.run);
    if (!run) return UNSEEN;
    const beginsRound = fact.type === run.loop?.rounds.started;
    const endsRound = fact.type === 'decision.made' && run.isRoundOpen;
    // Only a continuation follows an ending, and it judges the same round again.
    if (fact.type === 'decision.made' && !fact.payload.sink) run.isRoundOpen = false;
    if (fact.type === 'baseline.taken') run.baselines += 1;
    const limits = run.limits.observe(fact);
    if (fact.type === 'run.migrated') migrate(run, knownLoop(fact.payload.to, this.#loops));
    if (beginsRound) begun(run);
    if (comesOfRound(fact)) run.isRoundOpen = run.rounds > 0;
    if (fact.type === 'child.settled' && fact.payload.callId === undefined) {
      run.isToBeChecked = run.hasChecks && fact.payload.outcome.ending === 'success';
    }
    run.remedy = remedyAfter(run.remedy, fact, run.loop);
    const { loop, narration, rounds, baselines, hasChecks, isToBeChecked } = run;
    return {
      loop,
      told: narration?.tell(fact) ?? null,
      activity: activityText(run, fact),
      remedy: run.remedy?.text ?? null,
      rounds: run.limits.numbers?.iteration ?? rounds,
      mostRounds: run.limits.numbers?.maximum ?? (limits && mostRounds(loop, limits)),
      beginsRound,
      baselines,
      endsRound,
      hasChecks,
      isToBeChecked,
    };
  }

  #begin(run: string, { machine, settings }: Extract<Fact, { type: 'run.started' }>['payload']): void {
    const loop = knownLoop(machine, this.#loops);
    const hasChecks = settings.checks.length > 0;
    const narration = loop?.describe.narration?.() ?? null;
    const activities = loop?.describe.activity && !settings.parent ? new Activities(this.#loops) : null;
    const kept = {
      loop,
      narration,
      activities,
      remedy: null,
      limits: new LimitsInForce(this.#loops),
      rounds: 0,
      baselines: 0,
      isRoundOpen: false,
      hasChecks,
      isToBeChecked: hasChecks,
    };
    this.#runs.set(run, kept);
    if (!settings.parent) this.#root = kept;
  }
}

function activityText({ loop, activities }: Kept, fact: Fact): string | null {
  const activity = activities?.observe(fact);
  return (activity && loop?.describe.activity?.(activity)) ?? null;
}

/** Uses the next version's narration from here on, if that version is known here. */
function migrate(run: Kept, next: LoopDefinition | null): void {
  if (!next) return;
  const { narration } = next.describe;
  if (narration !== run.loop?.describe.narration)
    run.narration = next.describe.narration?.(run.narration ?? undefined) ?? null;
  run.loop = next;
}

function begun(run: Kept): void {
  const isChild = run.loop?.describe.child !== undefined;
  run.rounds += 1;
  run.isRoundOpen = !isChild;
  if (isChild) run.isToBeChecked = false;
}

/** Whether the fact is the result of the child that performs a round, or says that it was lost. */
const comesOfRound = ({ type, payload }: Fact): boolean =>
  type === 'effect.interrupted' || (type === 'child.settled' && payload.callId === undefined);
