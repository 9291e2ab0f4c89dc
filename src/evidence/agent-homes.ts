import { shownOfHome } from './tool-homes.ts';

/** Where package managers and build tools keep what they have fetched and built, beside the tools themselves. */
const CACHES: readonly string[] = [
  '.npm',
  '.cache/pip',
  '.cache/uv',
  '.cache/pypoetry',
  '.cache/go-build',
  '.cache/yarn',
  '.cache/node',
  '.cache/ccache',
  '.yarn',
  '.bun',
];

/** What of a home the commands of an agent may use, and whose changes are thrown away. */
export const agentHomes = (): readonly string[] => shownOfHome(CACHES);

/** What of a workspace its commands do not change: what git and we obey, and what starts other programs by itself. */
export const KEPT_PATHS: readonly string[] = [
  '.git/config',
  '.git/hooks',
  '.git/info',
  '.loopfold',
  '.claude',
  '.mcp.json',
  'loopfold.config.json',
  'loopfold.config.mjs',
  'loopfold.config.js',
  'loopfold.config.ts',
  'loopfold.config.mts',
];
