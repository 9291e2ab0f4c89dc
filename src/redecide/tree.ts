import type { Limits } from '../../machines/settings.ts';
import type { Log, RunRecord } from '../log/log.ts';
import { runOfEffect } from '../log/names.ts';
import { readEvents } from '../log/reading.ts';
import { UnreadableError } from '../log/unreadable.ts';
import { readSettings } from '../projections/read-settings.ts';
import type { Fact } from '../runtime/cast.ts';
import { assertIntact } from '../runtime/intact.ts';
import type { LoopDefinition } from '../runtime/loop-definition.ts';
import type { Conclusion, Redecided } from './conclusion.ts';
import type { Names, OtherJudge } from './other-judge.ts';
import { redecide } from './redecide.ts';
import { addSaving, NOTHING_SAVED, type Saving } from './saving.ts';

/** A run and, below it, its attempts and the work it handed over: each judged again by itself. */
export interface Branch {
  readonly redecided: Redecided;
  readonly below: readonly Branch[];
}

/** A whole tree of runs as another judge would have had it. */
export interface RedecidedTree extends Branch {
  /** Of the first decision in the tree, in the order of events, that is another. */
  readonly conclusion: Conclusion;
  readonly turn: (NonNullable<Redecided['turn']> & { readonly run: string }) | null;
  /** The event of the tree from which on the recording is no longer what would have been. */
  readonly differsFrom: { readonly run: string; readonly version: number } | null;
  /** Whether nothing at all is known of what would have come of that. */
  readonly isOpen: boolean;
  /**
   * What would not have been used: by the run itself once it stops, and before that by each attempt from where it stops.
   * What a loop would have made of an attempt that ended earlier nobody knows: it is counted as if it went on as it did.
   */
  readonly saved: Saving | null;
  /** Judgements in the tree, and how many of them are the same verdict. */
  readonly judgements: number;
  readonly agreeing: number;
}

type Records = readonly RunRecord[];

/**
 * Judges a run of a log again, with everything below it. Throws a `LogError` where the log is not what was written, and an
 * `UnreadableError` where it holds an event that cannot be read.
 */
export async function redecideTree(log: Log, run: string, other: OtherJudge, names: Names): Promise<RedecidedTree> {
  const branch = await branchOf(log, await log.runs(), run, other, names);
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

async function branchOf(log: Log, records: Records, run: string, other: OtherJudge, names: Names): Promise<Branch> {
  await assertIntact(log, run);
  const facts: Fact[] = [];
  for await (const read of readEvents(log, run, names.loops, { isWhole: true })) {
    if (read.kind === 'unreadable') throw new UnreadableError(read);
    facts.push(read.event);
  }
  const redecided = await redecide(facts, other, names);
  const below: Branch[] = [];
  for (const child of childrenOf(run, facts, records)) {
    const bounds = await otherLimits(log, child, { facts, redecided, loop: loopOf(facts, names.loops) }, other);
    below.push(await branchOf(log, records, child, { ...other, ...bounds }, names));
  }
  return { redecided, below };
}

/** In the order in which they were opened. A fork has those of its prefix too. */
function childrenOf(run: string, facts: readonly Fact[], records: Records): string[] {
  const settled = new Set(facts.flatMap((fact) => (fact.type === 'child.settled' ? [fact.payload.child] : [])));
  return records
    .filter(({ run: one, parentEffect }) => settled.has(one) || (parentEffect !== null && runOfEffect(parentEffect) === run))
    .map(({ run: one }) => one);
}

interface Parent {
  readonly facts: readonly Fact[];
  readonly redecided: Redecided;
  readonly loop: LoopDefinition | undefined;
}

/** A child has what its loop has left: where the loop has more or less, so has the child. Work handed over keeps its share. */
async function otherLimits(
  log: Log,
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

/** The definition that its newest fact is folded by. */
function loopOf(facts: readonly Fact[], loops: readonly LoopDefinition[]): LoopDefinition | undefined {
  const machines = facts.map((fact) => {
    if (fact.type === 'run.started') return fact.payload.machine;
    return fact.type === 'run.migrated' ? fact.payload.to : null;
  });
  const machine = machines.findLast((one) => one !== null);
  return loops.find(({ id }) => id === machine);
}

function limitsAt(facts: readonly Fact[], version: number): Limits | null {
  const changes = facts.filter((fact) => fact.version <= version).map((fact) => {
    if (fact.type === 'run.started') return fact.payload.settings.limits;
    return fact.type === 'run.continued' ? fact.payload.limits : null;
  });
  return changes.findLast((limits) => limits !== null) ?? null;
}

/** The first of a tree in the order of events: what lies below a run comes after the event that opened it. */
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

/** What lies below a run, without what would not have been opened. */
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
