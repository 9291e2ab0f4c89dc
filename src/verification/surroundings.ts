import { MAX_NAMED, type RecordedProof, type RecordedSurroundings } from '../../machines/recorded-proof.ts';
import { foundTools } from '../actors/proof/check-tools.ts';
import { changedSince } from '../actors/proof/dependencies-since.ts';
import { dependencyDigests } from '../actors/proof/dependency-digests.ts';
import { changedFolders, changedTools, inFolders, programsOf } from '../evidence/surroundings-change.ts';
import { newlyUnmet } from '../evidence/packages/unmet-packages.ts';
import type { LegsSubject } from './legs-subject.ts';
import { changedPaths } from './trees-by-path.ts';
import { changedPlaces, outsideNow } from './outside-now.ts';
import type { PreparedLegs } from './prepare-legs.ts';
import { unmetDependencies } from './unmet-dependencies.ts';

type Known = Pick<PreparedLegs, 'dependencies'>;
type Planned = Known & Pick<PreparedLegs, 'plan' | 'call'>;

/**
 * Reads what the checks of a run rest on outside of its captures, as it is now. `before`: what it was when the run
 * began.
 */
export function surroundingsNow(
  subject: LegsSubject,
  legs: Planned,
  before?: RecordedSurroundings,
): Promise<RecordedSurroundings> {
  return askedLater(lookedUp(subject, legs, before));
}

/** A proof that is told to stop removes its folder, and does not ask any more what became of this. */
function askedLater<Value>(found: Promise<Value>): Promise<Value> {
  found.catch(() => {});
  return found;
}

async function lookedUp(
  subject: LegsSubject,
  { call, ...rest }: Planned,
  before: RecordedSurroundings | undefined,
): Promise<RecordedSurroundings> {
  // The checkout may be made anew meanwhile: git has no folder to stand in there.
  const legs = { ...rest, call: { ...call, directory: call.repository?.gitDirectory ?? call.directory } };
  const { origin, checks, prepare, provided } = subject;
  const commands = [...prepare, ...checks.map(({ command }) => command)];
  const found = outsideNow(subject, legs, before?.outside);
  const toolsNow = async () => {
    const names = [...programsOf(commands), ...(await found).programs];
    return foundTools(names, process.env['PATH'] ?? '', [origin.root, provided.root]);
  };
  const [digests, tools, unmet] = await Promise.all([
    dependencyDigests(origin.root, legs.dependencies),
    toolsNow(),
    unmetDependencies(subject, legs),
  ]);
  const { outside } = await found;
  return { dependencies: digests, tools, outside: [...outside], ...(unmet.length > 0 ? { unmet } : {}) };
}

/** The changes of that since the run began. */
export type Rested = Pick<
  RecordedProof,
  'dependenciesChanged' | 'dependenciesNamed' | 'dependenciesUnmet' | 'toolsChanged' | 'outsideChanged'
>;

/** What of that has changed since the run began, as it is recorded. Absent and null in runs of earlier versions. */
export function changedSurroundings(
  before: RecordedSurroundings | undefined,
  subject: LegsSubject,
  legs: Planned,
  asked: Promise<RecordedSurroundings> | null,
): Promise<Rested> {
  return askedLater(changedAround(before, subject, legs, asked));
}

async function changedAround(
  before: RecordedSurroundings | undefined,
  subject: LegsSubject,
  legs: Planned,
  asked: Promise<RecordedSurroundings> | null,
): Promise<Rested> {
  const installed = await changedOutside(before, subject, legs, asked);
  const kept = changedInTree(subject, legs);
  if (kept.length === 0) return installed;
  const named = [...(installed.dependenciesNamed ?? []), ...kept].slice(0, MAX_NAMED);
  return {
    ...installed,
    dependenciesChanged: (installed.dependenciesChanged ?? 0) + kept.length,
    dependenciesNamed: named,
  };
}

/** Files of dependencies that git keeps: a capture has them, and tests may be written with them. */
function changedInTree({ deps }: LegsSubject, { plan: { base, trees } }: Planned): readonly string[] {
  const [first] = trees;
  const isDependency = inFolders(deps);
  const changed = [...changedPaths(base, first)].filter((path) => base.get(path)?.hash !== first.get(path)?.hash);
  return changed.filter(isDependency).toSorted();
}

async function changedOutside(
  before: RecordedSurroundings | undefined,
  subject: LegsSubject,
  legs: Known,
  asked: Promise<RecordedSurroundings> | null,
): Promise<Rested> {
  const now = await asked;
  if (!before || !now) {
    const changed = await changedIn(subject, legs.dependencies);
    return { dependenciesChanged: changed?.length ?? null };
  }
  const unmet = newlyUnmet(before.unmet ?? [], now.unmet ?? []);
  const rest = {
    toolsChanged: [...changedTools(before.tools, now.tools)],
    ...(await changedPlaces(before.outside, now.outside, subject.since)),
    ...(unmet.length > 0 ? { dependenciesUnmet: [...unmet] } : {}),
  };
  const folders = changedFolders(before.dependencies, now.dependencies);
  if (folders === null || folders.length === 0) return { dependenciesChanged: folders && 0, ...rest };
  const there = folders.filter((folder) => legs.dependencies.includes(folder));
  const files = (await changedIn(subject, there)) ?? [];
  // A file that was removed has no name any more, but its folder has.
  const named = [...files, ...folders.filter((folder) => !files.some((file) => file.startsWith(`${folder}/`)))];
  return { dependenciesChanged: named.length, dependenciesNamed: named.slice(0, MAX_NAMED), ...rest };
}

/** Files of dependencies that changed since the run began. Null: it had a copy of them, or that is not known here. */
export const changedIn = async (
  { origin, since }: LegsSubject,
  folders: readonly string[],
): Promise<readonly string[] | null> => (since === null ? null : changedSince(origin.root, folders, since));
