import { shownOfHome } from './tool-homes.ts';

/** Folders of package managers and build tools for what they have fetched and built, beside the tools themselves. */
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

/** The folders of a home that the commands of an agent may use, and whose changes are thrown away. */
export const agentHomes = (): readonly string[] => shownOfHome(CACHES);

/** Paths of a workspace that its commands do not change, beside ours: git obeys them, or they start other programs. */
export const KEPT_PATHS: readonly string[] = ['.git/config', '.git/hooks', '.git/info', '.claude', '.mcp.json'];
