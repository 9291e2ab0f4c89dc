import { z } from 'zod';
import type { RangedPackage } from './package-request.ts';
import { tomlIn } from './python-manifest.ts';
import { isRange, rangeOfCargo } from './version-ranges.ts';

const Lock = z.object({
  package: z.array(z.object({ name: z.string(), version: z.string().optional() })).catch([]),
});

/**
 * The versions that a lockfile in TOML has of each package: `Cargo.lock`, `uv.lock`, `poetry.lock`, `pdm.lock`. There
 * may be several of one.
 */
export function tomlLock(text: string): ReadonlyMap<string, readonly string[]> {
  const { package: packages } = Lock.parse(tomlIn(text));
  const groups = Map.groupBy(packages, ({ name }) => name);
  return new Map([...groups].map(([name, all]) => [name, all.flatMap(({ version }) => version ?? [])]));
}

const Dependencies = z.record(z.string(), z.unknown()).catch({});
const CargoManifest = z.object({
  dependencies: Dependencies,
  'dev-dependencies': Dependencies,
  'build-dependencies': Dependencies,
});
const Detailed = z.object({ version: z.string(), package: z.string().optional(), optional: z.boolean().catch(false) });
const ELSEWHERE = ['path', 'git', 'workspace', 'registry'];

/**
 * Reads what a `Cargo.toml` asks for by versions. Not what it takes from a folder, a repository, or its workspace.
 *
 * @example
 * cargoRanges('[dependencies]\nlibc = "0.2"'); // [{ name: 'libc', wanted: '0.2', range: '^0.2', mayLack: false }]
 */
export function cargoRanges(text: string): readonly RangedPackage[] {
  const manifest = CargoManifest.parse(tomlIn(text));
  const all = [...Object.entries(manifest.dependencies), ...Object.entries(manifest['dev-dependencies'])];
  return [...all, ...Object.entries(manifest['build-dependencies'])].flatMap(([key, value]) => {
    const detailed = typeof value === 'string' ? { version: value, optional: false } : detailsOf(value);
    if (detailed === null || !isRange(rangeOfCargo(detailed.version))) return [];
    const { version, package: name = key, optional } = detailed;
    return [{ name, wanted: version, range: rangeOfCargo(version), mayLack: optional }];
  });
}

function detailsOf(value: unknown): z.infer<typeof Detailed> | null {
  const { success, data } = Detailed.safeParse(value);
  return success && !ELSEWHERE.some((key) => Object.hasOwn(Object(value), key)) ? data : null;
}
