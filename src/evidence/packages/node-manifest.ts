import { z } from 'zod';
import { objectIn } from '../key-grounds.ts';
import type { RangedPackage } from './package-request.ts';
import { isRange } from './version-ranges.ts';

const Ranges = z.record(z.string(), z.string()).catch({});
/** A package under another name is installed under this one. */
const ALIAS = /^npm:@?[^@]+@(?=.)/;
const Names = z.array(z.string()).catch([]);

/** A `package.json`, as far as it asks for packages. */
const Manifest = z.object({
  dependencies: Ranges,
  devDependencies: Ranges,
  optionalDependencies: Ranges,
  peerDependencies: Ranges,
  workspaces: z.union([Names, z.object({ packages: Names }).transform(({ packages }) => packages)]).catch([]),
});

/**
 * Reads what a `package.json` asks for by versions. Not what it takes from elsewhere, nor what one of these names
 * overrides.
 *
 * @example
 * nodeRanges('{"dependencies":{"ms":"^3.0.0","own":"file:own"}}', () => false); // [{ name: 'ms', … }]
 */
export function nodeRanges(text: string, isOverridden: (name: string) => boolean): readonly RangedPackage[] {
  const { dependencies, devDependencies, optionalDependencies, peerDependencies } = Manifest.parse(
    objectIn(text) ?? {},
  );
  const lackable = new Set(Object.keys(optionalDependencies));
  const all = { ...peerDependencies, ...devDependencies, ...dependencies, ...optionalDependencies };
  const needed = new Set([...Object.keys(devDependencies), ...Object.keys(dependencies)]);
  return Object.entries(all)
    .map(([name, wanted]) => ({ name, wanted, range: wanted.replace(ALIAS, '') }))
    .filter(({ name, range }) => isRange(range) && !isOverridden(name))
    .map((one) => ({ ...one, mayLack: lackable.has(one.name) || !needed.has(one.name) }));
}

/** The globs of the packages that belong to a `package.json`, from its folder. */
export const workspaceGlobs = (text: string): readonly string[] => Manifest.parse(objectIn(text) ?? {}).workspaces;

/** Finds the packages whose version an override decides, and not the manifest that asks for them. */
export function overriddenBy(texts: readonly string[]): (name: string) => boolean {
  const keys = texts.flatMap((text) => {
    const { overrides, resolutions, pnpm } = objectIn(text) ?? {};
    return [...keysWithin(overrides), ...keysWithin(resolutions), ...keysWithin(Object(pnpm).overrides)];
  });
  // `ms`, `ms@2`, `a > ms`, `a/ms` and `**/ms`.
  const names = new Set(keys.flatMap((key) => [...partsOf(key)]));
  return (name) => names.has(name);
}

function* partsOf(key: string): Iterable<string> {
  const plain = key.replace(/(?<=.)@[^@/>]*$/, '');
  yield plain;
  yield /(?:^|[/>\s])(@[^/>\s]+\/[^/>\s]+|[^@/>\s][^/>\s]*)$/.exec(plain)?.[1] ?? plain;
}

const keysWithin = (value: unknown): readonly string[] =>
  typeof value === 'object' && value !== null
    ? Object.entries(value).flatMap(([key, within]) => [key, ...keysWithin(within)])
    : [];
