/** Folders in a home that hold tools and their packages: what checks may read of it. Nothing else is given. */
const TOOL_HOMES: readonly string[] = [
  '.rustup',
  '.cargo/bin',
  '.cargo/registry',
  '.cargo/git',
  'go/pkg/mod',
  '.m2/repository',
  '.gradle/caches',
  '.cache/ms-playwright',
  '.cache/puppeteer',
  '.cache/Cypress',
  '.nvm',
  '.pyenv',
  '.volta',
  '.asdf',
  '.local/share/mise',
  '.local/share/pnpm',
  '.local/share/uv',
];

/** What checks may read of a home where they are given these paths of it: no path is within another one. */
export function shownOfHome(paths: readonly string[]): readonly string[] {
  const all = [...new Set([...paths.map((path) => path.replace(/\/+$/, '')), ...TOOL_HOMES])];
  return all.filter((path) => !all.some((other) => path.startsWith(`${other}/`)));
}
