import { join } from 'node:path';
import { MAX_NAMED, type RecordedProof, type RecordedSurroundings } from '../../machines/recorded-proof.ts';
import { changedSince } from '../actors/proof/dependencies-since.ts';
import { outsideIdentity } from '../actors/proof/outside-identity.ts';
import { outsidePlaces } from '../actors/proof/outside-places.ts';
import { outsideNames } from '../evidence/outside-names.ts';
import { linksIn } from './trees-by-path.ts';
import { programsOfChecks } from './programs-of-checks.ts';
import { homeOfPerson } from './proof-places.ts';
import type { LegsSubject } from './legs-subject.ts';
import type { PreparedLegs } from './prepare-legs.ts';

/** The most places outside of the workspace that are looked at, and the most links of it that are followed. */
const MAX_OUTSIDE = 200;
const MAX_LINKS = 500;

type Outside = NonNullable<RecordedSurroundings['outside']>;
type Planned = Pick<PreparedLegs, 'plan' | 'call'>;

export interface OutsideNow {
  readonly outside: Outside;
  /** Programs that scripts among them are run by. */
  readonly programs: readonly string[];
}

/**
 * Reads what the checks rest on outside of the workspace, as it is now: by what they, and links, named when the run
 * began. The work has no say in it. `before`: the places that were found then.
 */
export async function outsideNow(subject: LegsSubject, legs: Planned, before?: Outside): Promise<OutsideNow> {
  const { root } = subject.origin;
  const links = linksIn(legs.plan.base)
    .slice(0, MAX_LINKS)
    .map((path) => join(root, path));
  const named = outsideNames(await programsOfChecks(subject, legs), { root, home: homeOfPerson() });
  const { paths, programs } = await outsidePlaces(root, named, links);
  const places = before?.map(({ path }) => path) ?? paths.slice(0, MAX_OUTSIDE);
  const outside = await Promise.all(places.map(async (path) => ({ path, identity: await outsideIdentity(path) })));
  return { outside, programs };
}

/** Names what of that has changed since: of a folder the files in it, where they are still there. */
export async function changedPlaces(
  before: Outside | undefined,
  now: Outside | undefined,
  since: Date | null,
): Promise<Pick<RecordedProof, 'outsideChanged'>> {
  const found = new Map(now?.map(({ path, identity }) => [path, identity]));
  const changed = (before ?? []).filter(({ path, identity }) => found.get(path) !== identity).map(({ path }) => path);
  const named = changed.map(async (path) => {
    const files = since === null ? null : await changedSince('/', [path], since);
    const own = (files ?? []).filter((file) => !file.includes('/.git/')).map((file) => file.replace(/^\/?/, '/'));
    return own.length === 0 ? [path] : own;
  });
  const all = [...new Set((await Promise.all(named)).flat())].toSorted();
  return all.length === 0 ? {} : { outsideChanged: all.slice(0, MAX_NAMED) };
}
