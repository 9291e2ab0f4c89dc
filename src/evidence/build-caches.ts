/** A folder in which a build tool keeps what it has built. */
export interface BuildCache {
  /** `home`: the path is from the home. `tree`: from the top of the workspace. */
  readonly at: 'home' | 'tree';
  readonly path: string;
}

/** A tool, by the file that shows in a tree that it builds there, and the folders of what it builds. */
interface BuildTool {
  /** The base name of a file. */
  readonly marker: RegExp;
  readonly home: readonly string[];
  /** From the folder of the file. */
  readonly beside: readonly string[];
}

const BUILD_TOOLS: readonly BuildTool[] = [
  { marker: /^go\.(?:mod|work)$/, home: ['.cache/go-build'], beside: [] },
  { marker: /^Cargo\.toml$/, home: [], beside: ['target'] },
  {
    marker: /^(?:CMakeLists\.txt|configure(?:\.ac)?|meson\.build|GNUmakefile|[Mm]akefile)$/,
    home: ['.cache/ccache', '.ccache'],
    beside: [],
  },
  { marker: /^turbo\.jsonc?$/, home: [], beside: ['.turbo'] },
];

/** Further ones are not given: each is a mount more for every command. */
const MAX_CACHES = 12;

/**
 * Lists the build caches that checks of a tree may use. A folder within one that is listed is not listed.
 *
 * @example
 * buildCaches(['go.mod', 'sum.go']); // [{ at: 'home', path: '.cache/go-build' }]
 * buildCaches(['Cargo.toml', 'a/Cargo.toml']); // [{ at: 'tree', path: 'target' }, { at: 'tree', path: 'a/target' }]
 */
export function buildCaches(paths: Iterable<string>): readonly BuildCache[] {
  const all = [...paths];
  const known = new Set(all);
  const found = all.flatMap((path) => {
    const slash = path.lastIndexOf('/') + 1;
    const tool = BUILD_TOOLS.find(({ marker }) => marker.test(path.slice(slash)));
    if (!tool) return [];
    const folder = path.slice(0, slash);
    return [
      ...tool.home.map((own): BuildCache => ({ at: 'home', path: own })),
      ...tool.beside.map((own): BuildCache => ({ at: 'tree', path: `${folder}${own}` })),
    ];
  });
  const unique = new Map(found.map((cache) => [`${cache.at} ${cache.path}`, cache]));
  return [...unique.values()].filter(({ at, path }) => at === 'home' || !isTaken(path, known)).slice(0, MAX_CACHES);
}

/** Tells whether a tree has a file there, or anything in it. */
const isTaken = (path: string, known: ReadonlySet<string>): boolean =>
  known.has(path) || [...known].some((one) => one.startsWith(`${path}/`));
