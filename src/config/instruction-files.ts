/** Files that editors, shells, agents, git or installers run or obey by themselves where they find them. */
const OBEYED: readonly string[] = [
  '.envrc',
  '.npmrc',
  '.yarnrc.yml',
  '.pnpmfile.cjs',
  '.gitattributes',
  '.gitmodules',
  '.mcp.json',
  '.pre-commit-config.yaml',
  'lefthook.yml',
  '.lefthook.yml',
  'mise.toml',
  '.mise.toml',
  '.tool-versions',
  'sitecustomize.py',
  'usercustomize.py',
  '.vscode/tasks.json',
  '.vscode/settings.json',
  '.vscode/launch.json',
  '.vscode/mcp.json',
  '.claude/settings.json',
  '.claude/settings.local.json',
  '.cursor/mcp.json',
  '.gemini/settings.json',
  '.codex/config.toml',
];
/** Folders of such files. */
const OBEYED_FOLDERS: readonly string[] = ['.husky', '.devcontainer', '.github/workflows', '.claude/hooks', '.idea'];

/** The paths that are looked at in each folder upwards, also where git ignores them. */
export const OBEYED_PLACES: readonly { readonly path: string; readonly isFolder: boolean }[] = [
  ...OBEYED.map((path) => ({ path, isFolder: false })),
  ...OBEYED_FOLDERS.map((path) => ({ path, isFolder: true })),
];

/** Tells by its path, in lower case and with `/` before it, that other programs obey a file. */
export const isObeyed = (name: string): boolean =>
  OBEYED.some((one) => name.endsWith(`/${one.toLowerCase()}`)) ||
  OBEYED_FOLDERS.some((folder) => name.includes(`/${folder}/`));
