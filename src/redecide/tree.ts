import type { Limits } from '../../machines/settings.ts';
import type { Log, RunRecord } from '../log/log.ts';
import { runOfEffect } from '../log/names.ts';
import { readEvents } from '../log/reading.ts';
import { UnreadableError } from '../log/unreadable.ts';
import { readSettings } from '../projections/read-settings.ts';
import type { Fact } from '../runtime/cast.ts';
import { assertIntact } from '../runtime/intact.ts';
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
  const first = firstOf(branch, ({ turn }) => turn?.version ?? null);
  const differs = firstOf(branch, ({ differsFrom }) => differsFrom);
  const endsThere = differs?.redecided === own && !own.isOpen;
  const all = judgementsOf(branch);
  return {
    ...branch,
    conclusion: first?.redecided.conclusion ?? 'agrees',
    turn: first?.redecided.turn ? { run: first.redecided.run, ...first.redecided.turn } : null,
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
  for await (const read of readEvents(log, run, undefined, { isWhole: true })) {
    if (read.kind === 'unreadable') throw new UnreadableError(read);
    facts.push(read.event);
  }
  const redecided = await redecide(facts, other, names);
  const below: Branch[] = [];
  for (const child of childrenOf(run, facts, records)) {
    const bounds = await otherLimits(log, child, facts, redecided, other);
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

/** An attempt has what its loop has left: where the loop has more or less, so has the attempt. Work handed over keeps its share. */
async function otherLimits(
  log: Log,
  child: string,
  facts: readonly Fact[],
  loop: Redecided,
  { limits = {} }: OtherJudge,
): Promise<Pick<OtherJudge, 'limits'>> {
  const settings = await readSettings(log, child);
  if (loop.loop !== 'iteration' || !settings?.parent) return { limits: {} };
  const opened = versionOf(settings.parent.effect);
  const inForce = limitsAt(facts, opened);
  const used = loop.redecisions.findLast(({ version }) => version <= opened)?.used ?? NOTHING_SAVED;
  const moved = (name: 'maxTokens' | 'maxCostNanoUsd', usedBefore: number) => {
    const limit = limits[name];
    if (limit === undefined) return {};
    const [had, hadLoop] = [settings.limits[name] ?? null, inForce?.[name] ?? null];
    if (limit === null) return { [name]: null };
    return { [name]: Math.max(0, had !== null && hadLoop !== null ? had + limit - hadLoop : limit - usedBefore) };
  };
  const { maxSteps, maxToolCalls } = limits;
  return {
    limits: {
      ...(maxSteps === undefined ? {} : { maxSteps }),
      ...(maxToolCalls === undefined ? {} : { maxToolCalls }),
      ...moved('maxTokens', used.tokens),
      ...moved('maxCostNanoUsd', used.costNanoUsd),
    },
  };
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
export function reached({ redecided: { conclusion, turn }, below }: Branch): readonly Branch[] {
  const endsAt = conclusion === 'stops_earlier' && turn ? turn.version : Infinity;
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
