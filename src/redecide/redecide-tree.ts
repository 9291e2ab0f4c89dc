import type { Limits } from '../../machines/settings.ts';
import type { EventStore, RunRecord } from '../log/event-store.ts';
import { familyOf } from '../log/family.ts';
import { runOfEffect } from '../log/effect-names.ts';
import { readPages } from '../log/reading.ts';
import { UnreadableError } from '../log/unreadable.ts';
import { readSettings } from '../runtime/read-settings.ts';
import type { Fact } from '../kernel/effect-handlers.ts';
import { assertIntact } from '../runtime/intact.ts';
import type { LoopDefinition } from '../kernel/loop-definition.ts';
import type { Conclusion, Redecided } from './conclusion.ts';
import type { Names, OtherJudge } from './other-judge.ts';
import { redecide } from './redecide-run.ts';
import { addSaving, NOTHING_SAVED, type Saving } from './saving.ts';

/** A run with its attempts and delegated runs, each judged again by itself. */
export interface Branch {
  readonly redecided: Redecided;
  readonly below: readonly Branch[];
}

/** A whole tree of runs under another judge. */
export interface RedecidedTree extends Branch {
  /** The conclusion of the first different decision in the tree, in the order of events. */
  readonly conclusion: Conclusion;
  readonly turn: (NonNullable<Redecided['turn']> & { readonly run: string }) | null;
  /** The event from which the recording no longer shows what would have happened. */
  readonly differsFrom: { readonly run: string; readonly version: number } | null;
  /** Whether everything after that is unknown. */
  readonly isOpen: boolean;
  /**
   * What would have been saved: by the run itself once it stops, and before that by each attempt from where it stops.
   * How a loop would have continued after an attempt that ended earlier is unknown: it counts as if it continued as
   * recorded.
   */
  readonly saved: Saving | null;
  /** The number of judgements in the tree, and of those with the same verdict. */
  readonly judgements: number;
  readonly agreeing: number;
}

type Records = readonly RunRecord[];

/**
 * Judges a run of a log again, with everything below it. Throws a `LogError` where the log was tampered with, and an
 * `UnreadableError` where an event cannot be read.
 */
export async function redecideTree(
  log: EventStore,
  run: string,
  other: OtherJudge,
  names: Names,
): Promise<RedecidedTree> {
  await assertIntact(log, run);
  return redecideVerified(log, { run, facts: await factsOf(log, run, names) }, other, names);
}

/** A run whose history was verified, and that of the runs below it. */
export interface VerifiedRun {
  readonly run: string;
  readonly facts: readonly Fact[];
}

/** The same for a run that was read already. Throws an `UnreadableError` where an event below it cannot be read. */
export async function redecideVerified(
  log: EventStore,
  verified: VerifiedRun,
  other: OtherJudge,
  names: Names,
): Promise<RedecidedTree> {
  const records = await familyOf(log, verified.run);
  const root = records.find((record) => record.run === verified.run)?.root ?? verified.run;
  return treeOf(await branchOf(log, records, { ...verified, root }, other, names));
}

function treeOf(branch: Branch): RedecidedTree {
  const own = branch.redecided;
  const first = firstOf(branch, (redecided) => redecided.turn?.version ?? null)?.redecided;
  const differs = firstOf(branch, ({ differsFrom }) => differsFrom);
  const endsThere = differs?.redecided === own && !own.isOpen;
  const all = judgementsOf(branch);
  return {
    ...branch,
    conclusion: first?.conclusion ?? 'agrees',
    turn: first?.turn ? { run: first.run, ...first.turn } : null,
    differsFrom: differs && { run: differs.redecided.run, version: differs.version },
    isOpen: differs !== null && !endsThere,
    saved: savedBy(branch),
    judgements: all.length,
    agreeing: all.filter(({ agrees }) => agrees).length,
  };
}

/** All facts of a run. Throws where an event cannot be read. */
async function factsOf(log: EventStore, run: string, { loops }: Names): Promise<readonly Fact[]> {
  const facts: Fact[] = [];
  for await (const page of readPages(log, run, loops, { isWhole: true })) {
    for (const read of page) {
      if (read.kind === 'unreadable') throw new UnreadableError(read);
      facts.push(read.event);
    }
  }
  return facts;
}

/** Judges a run whose history was verified, with everything below it in its tree. */
async function branchOf(
  log: EventStore,
  records: Records,
  { run, root, facts }: VerifiedRun & Pick<RunRecord, 'root'>,
  other: OtherJudge,
  names: Names,
): Promise<Branch> {
  const redecided = await redecide(facts, other, names);
  const below: Branch[] = [];
  // Rows that were edited may lead round in circles: no run is below itself.
  const others = records.filter((record) => record.run !== run);
  for (const child of childrenOf(run, facts, others)) {
    // What a fork shares was done in the tree that it continues, which was not verified with it.
    if (child.root !== root) await assertIntact(log, child.run);
    const bounds = await otherLimits(log, child.run, { facts, redecided, loop: loopOf(facts, names.loops) }, other);
    const told = { run: child.run, root: child.root, facts: await factsOf(log, child.run, names) };
    below.push(await branchOf(log, others, told, { ...other, ...bounds }, names));
  }
  return { redecided, below };
}

/** In the order in which they were opened. A fork includes those of its prefix. */
function childrenOf(run: string, facts: readonly Fact[], records: Records): Records {
  const settled = new Set(facts.flatMap((fact) => (fact.type === 'child.settled' ? [fact.payload.child] : [])));
  return records.filter(
    ({ run: one, parentEffect }) => settled.has(one) || (parentEffect !== null && runOfEffect(parentEffect) === run),
  );
}

interface Parent {
  readonly facts: readonly Fact[];
  readonly redecided: Redecided;
  readonly loop: LoopDefinition | undefined;
}

/**
 * A child has what is left of its loop's limits: where the loop has more or less, so has the child. Delegated runs keep
 * their share.
 */
async function otherLimits(
  log: EventStore,
  child: string,
  { facts, redecided, loop }: Parent,
  { limits = {} }: OtherJudge,
): Promise<Pick<OtherJudge, 'limits'>> {
  const settings = await readSettings(log, child);
  if (!settings?.parent || settings.parent.lineage) return { limits: {} };
  const opened = versionOf(settings.parent.effect);
  const inForce = limitsAt(facts, opened);
  const used = redecided.redecisions.findLast(({ version }) => version <= opened)?.used ?? NOTHING_SAVED;
  const moved = (name: 'maxTokens' | 'maxCostNanoUsd', usedBefore: number) => {
    const limit = limits[name];
    if (limit === undefined) return {};
    const [had, hadLoop] = [settings.limits[name] ?? null, inForce?.[name] ?? null];
    if (limit === null) return { [name]: null };
    return { [name]: Math.max(0, had !== null && hadLoop !== null ? had + limit - hadLoop : limit - usedBefore) };
  };
  const ofChildren = loop?.settings?.ofChildren ?? [];
  return {
    limits: {
      ...Object.fromEntries(ofChildren.flatMap((name) => (limits[name] === undefined ? [] : [[name, limits[name]]]))),
      ...moved('maxTokens', used.tokens),
      ...moved('maxCostNanoUsd', used.costNanoUsd),
    },
  };
}

/** The definition that folds its newest event. */
function loopOf(facts: readonly Fact[], loops: readonly LoopDefinition[]): LoopDefinition | undefined {
  const machines = facts.map((fact) => {
    if (fact.type === 'run.started') return fact.payload.machine;
    return fact.type === 'run.migrated' ? fact.payload.to : null;
  });
  const machine = machines.findLast((one) => one !== null);
  return loops.find(({ id }) => id === machine);
}

function limitsAt(facts: readonly Fact[], version: number): Limits | null {
  const changes = facts
    .filter((fact) => fact.version <= version)
    .map((fact) => {
      if (fact.type === 'run.started') return fact.payload.settings.limits;
      return fact.type === 'run.continued' ? fact.payload.limits : null;
    });
  return changes.findLast((limits) => limits !== null) ?? null;
}

/** The first of a tree in the order of events: what is below a run comes after the event that opened it. */
function firstOf(
  { redecided, below }: Branch,
  versionIn: (redecided: Redecided) => number | null,
): { readonly redecided: Redecided; readonly version: number } | null {
  const version = versionIn(redecided);
  for (const branch of below) {
    if (version !== null && openedAt(branch) >= version) break;
    const first = firstOf(branch, versionIn);
    if (first) return first;
  }
  return version === null ? null : { redecided, version };
}

/** The runs below a run, without those that would not have been opened. */
export function reached({ redecided, below }: Branch): readonly Branch[] {
  const endsAt = redecided.conclusion === 'stops_earlier' ? (redecided.turn?.version ?? Infinity) : Infinity;
  return below.filter((branch) => openedAt(branch) < endsAt);
}

function savedBy({ redecided, below }: Branch): Saving | null {
  const parts = [redecided.saved, ...reached({ redecided, below }).map(savedBy)].filter((part) => part !== null);
  return parts.length === 0 ? null : parts.reduce(addSaving, NOTHING_SAVED);
}

const judgementsOf = ({ redecided, below }: Branch): Redecided['redecisions'] => [
  ...redecided.redecisions,
  ...below.flatMap(judgementsOf),
];

/** The version of its parent's event that opened a run. */
const openedAt = ({ redecided: { parent } }: Branch): number => (parent ? versionOf(parent.effect) : 0);
const versionOf = (effect: string): number => Number(effect.split('/').at(-2));
