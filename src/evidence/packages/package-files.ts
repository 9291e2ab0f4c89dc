import { nameOf } from '../workspace-paths.ts';
import { isNodeLock } from './node-lock.ts';
import { isPythonManifest } from './python-manifest.ts';

const MANIFESTS = new Set(['package.json', 'Cargo.toml', 'go.mod']);
const LOCKFILES = new Set(['Cargo.lock', 'uv.lock', 'poetry.lock', 'pdm.lock']);
const VENDORED = /(?:^|\/)vendor\/modules\.txt$/;
const INSTALLED = /(?:^|\/)(?:node_modules|vendor|\.venv|venv)\//;

/** At most twenty words stand between a manager and what it does: more would be read from every one of them. */
const INSTALLS = [
  /\b(?:npm|pnpm|bun)\s+(?:[\w:=-]+\s+){0,20}?(?:ci|i|install|add|clean-install)\b/,
  /\byarn(?:\s+(?:install|add|--\S+)){0,20}\s*(?:$|[;&|])/,
  /\b(?:pip3?|pipenv|poetry)\s+(?:\S+\s+){0,20}?(?:install|sync)\b/,
  /\buv\s+(?:sync|run|pip\s+(?:install|sync))\b/,
];

export const isLockfile = (path: string): boolean =>
  (isNodeLock(path) || LOCKFILES.has(nameOf(path))) && !INSTALLED.test(path);

/** Tells whether a file says which packages a project needs, or which versions of them. */
export const isPackageFile = (path: string): boolean =>
  VENDORED.test(path) ||
  isLockfile(path) ||
  ((MANIFESTS.has(nameOf(path)) || isPythonManifest(path)) && !INSTALLED.test(path));

/**
 * Tells whether one of these commands installs packages: what is installed in the workspace is not what the checks use.
 *
 * @example
 * installsPackages(['npm ci && npm test']); // true
 */
export const installsPackages = (commands: readonly string[]): boolean =>
  commands.some((command) => INSTALLS.some((pattern) => pattern.test(command)));
