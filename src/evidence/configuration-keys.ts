import { nameOf } from './workspace-paths.ts';

// Configuration names files that checks rest on, too: what is set up before tests, the module that transforms them, the
// configuration that it extends, the tests themselves. Entries and sources, which it also names, are the work.

const keys = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

const JEST = keys(`
  preset setupFiles setupFilesAfterEnv globalSetup globalTeardown testRunner runner transform testEnvironment reporters
  snapshotSerializers snapshotResolver testSequencer resolver testResultsProcessor testMatch`);
const VITEST = keys(`
  setupFiles globalSetup globalTeardown environment runner reporters snapshotSerializers snapshotEnvironment extends`);
const MOCHA = keys('require file spec extends config loader import reporter ui');

/** By how the name of a configuration file begins, dots left out; and by the key of a `package.json`. */
const NAMING_KEYS: readonly (readonly [tool: string, keys: ReadonlySet<string>])[] = [
  ['jest', JEST],
  ['vitest', VITEST],
  ['vite', VITEST],
  ['mocha', MOCHA],
  ['playwright', keys('testDir testMatch globalSetup globalTeardown reporter')],
  ['cypress', keys('supportFile specPattern')],
  ['ava', keys('require files')],
  ['nyc', keys('extends require')],
  ['c8', keys('extends require')],
  ['tap', keys('before after require import')],
  ['babel', keys('extends presets plugins')],
  ['eslint', keys('extends parser plugins')],
  ['eslintConfig', keys('extends parser plugins')],
  ['oxlint', keys('extends jsPlugins')],
  ['biome', keys('extends plugins')],
  ['prettier', keys('plugins')],
  ['swc', keys('extends plugins')],
  ['tsconfig', keys('extends')],
  ['jsconfig', keys('extends')],
];

/** Keys whose values are patterns of the tests. */
export const GLOB_KEYS: ReadonlySet<string> = keys('testMatch specPattern spec files');
/** Keys whose values are folders of tests. */
export const FOLDER_KEYS: ReadonlySet<string> = keys('testDir');
/** Keys whose values are configuration again. */
export const PART_KEYS: ReadonlySet<string> = keys('extends preset');

/** The keys whose values name files, in a file or a key of this name. Empty: none do. */
export const namingKeys = (name: string): ReadonlySet<string> => {
  const bare = nameOf(name).replace(/^\.+/, '');
  const longest = NAMING_KEYS.filter(([tool]) => bare.startsWith(tool)).toSorted(
    ([one], [other]) => other.length - one.length,
  );
  return longest[0]?.[1] ?? new Set();
};

/** The keys of a `package.json` that are configuration of tools. */
export const TOOLS_IN_PACKAGE: readonly string[] = [
  'jest',
  'mocha',
  'ava',
  'nyc',
  'c8',
  'tap',
  'babel',
  'eslintConfig',
  'prettier',
];
