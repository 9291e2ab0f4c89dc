/** A package that a manifest asks for. */
export interface RangedPackage {
  readonly name: string;
  /** As it is written. */
  readonly wanted: string;
  /** The same as a range of versions. */
  readonly range: string;
  /** It need not be there. */
  readonly mayLack: boolean;
}

/** A package, the file that asks for it, and where its version is to be found. */
export interface AskedPackage extends RangedPackage {
  /** The manifest, or the lockfile, from the top. */
  readonly asked: string;
  /**
   * A version that is known, or null where a lockfile has none; or the places where it may be installed, the nearest
   * first.
   */
  readonly found: { readonly version: string | null } | { readonly places: readonly string[] };
}

/** The texts of manifests and lockfiles, by path. */
export type PackageFiles = ReadonlyMap<string, string>;

/** The known facts of the packages that a tree asks for. */
export interface PackageTexts {
  /** Manifests and lockfiles of a tree. */
  readonly files: PackageFiles;
  /** Lockfiles as they were when the run began, where they were others. */
  readonly before: PackageFiles;
  /** Folders of installed dependencies. None where the checks install them. */
  readonly folders: readonly string[];
}

/** The place of a distribution of Python, wherever its environment has it. */
export const distributionPlace = (name: string): string => `python:${name.toLowerCase().replace(/[-_.]+/g, '-')}`;
