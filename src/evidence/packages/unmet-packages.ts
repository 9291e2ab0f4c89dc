import { MAX_NAMED, type UnmetDependency } from '../../../machines/recorded-proof.ts';
import type { AskedPackage } from './package-request.ts';
import { meets } from './version-ranges.ts';

/** Versions of what is installed, by place. Empty: it says none. */
export type InstalledVersions = ReadonlyMap<string, string>;

/**
 * The packages that are not there in the version that is asked for.
 *
 * @example
 * const ms = { name: 'ms', asked: 'package.json', wanted: '^3.0.0', range: '^3.0.0', mayLack: false };
 * unmetPackages([{ ...ms, found: { version: '2.1.3' } }], new Map()).length; // 1
 */
export function unmetPackages(
  asked: readonly AskedPackage[],
  installed: InstalledVersions,
): readonly UnmetDependency[] {
  const unmet = asked.flatMap((one) => {
    const version = foundOf(one, installed);
    if (version === null ? one.mayLack : meets(version, one.range)) return [];
    return [{ name: one.name, asked: one.asked, wanted: one.wanted, installed: version }];
  });
  return [...new Map(unmet.map((one) => [keyOf(one), one])).values()];
}

function foundOf({ found }: AskedPackage, installed: InstalledVersions): string | null {
  if ('version' in found) return found.version;
  return found.places.map((place) => installed.get(place)).find((version) => version !== undefined) ?? null;
}

/** Those of them that were not so before. None where there were more before than are recorded. */
export function newlyUnmet(
  before: readonly UnmetDependency[],
  now: readonly UnmetDependency[],
): readonly UnmetDependency[] {
  if (before.length >= MAX_NAMED) return [];
  const known = new Set(before.map(keyOf));
  return now.filter((one) => !known.has(keyOf(one)));
}

const keyOf = ({ name, asked, wanted, installed }: UnmetDependency): string =>
  JSON.stringify([name, asked, wanted, installed]);

/** One of them in words. */
export const unmetText = ({ name, asked, wanted, installed }: UnmetDependency): string =>
  `${name}: ${asked} asks for ${wanted}, ${installed === null ? 'none' : installed} is installed`;
