import { lstat, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { AGENT_PLACES } from './agents/agent-places.ts';
import { CONFIG_NAMES } from './config-names.ts';
import { INSTRUCTION_NAMES, SKILL_FOLDERS } from './instruction-names.ts';
import { OBEYED_PLACES, isObeyed } from './instruction-files.ts';
import { foldersUpwards } from './places.ts';

/** A file of a project that later runs, or other programs, go by. */
export interface DecidingFile {
  readonly path: string;
  /**
   * `configuration`: when work counts, and what a run may do. `agent`: what an agent is told, and its tools.
   * `instructions`: what every agent is told. `programs`: what other programs run or obey by themselves.
   */
  readonly decides: 'configuration' | 'agent' | 'instructions' | 'programs';
}

/** The files among these paths, with `/` between names, that later runs go by. Of each path once. */
export const decidingAmong = (paths: readonly string[]): readonly DecidingFile[] =>
  [...new Set(paths)].flatMap((path) => {
    const decides = decidedBy(path);
    return decides === null ? [] : [{ path, decides }];
  });

/** Some file systems find a file under a name in another case. */
function decidedBy(path: string): DecidingFile['decides'] | null {
  const name = `/${path.toLowerCase()}`;
  if (CONFIG_NAMES.some((config) => name.endsWith(`/${config}`))) return 'configuration';
  const folder = name.slice(0, name.lastIndexOf('/'));
  const isPage = ({ path: place }: (typeof AGENT_PLACES)[number]) =>
    place.endsWith('.md')
      ? name.endsWith(`/${place.toLowerCase()}`)
      : name.endsWith('.md') && folder.endsWith(`/${place}`);
  if (AGENT_PLACES.some(isPage)) return 'agent';
  if (INSTRUCTION_NAMES.some((page) => name.endsWith(`/${page.toLowerCase()}`))) return 'instructions';
  if (name.endsWith('.md') && SKILL_FOLDERS.some((place) => folder.includes(`/${place}`))) return 'instructions';
  return isObeyed(name) ? 'programs' : null;
}

/**
 * The files that later runs in a folder go by and that were written since a time, in ms since 1970: as paths from the
 * top of its repository, also those that git ignores. By the time of the last change of the file itself, which no
 * program can set back.
 */
export async function decidingSince(directory: string, since: number): Promise<readonly string[]> {
  const folders = await foldersUpwards(directory);
  const top = folders.at(-1) ?? directory;
  const found = await Promise.all(folders.map((folder) => writtenIn(folder, since)));
  return decidingAmong(found.flat().map((path) => relative(top, path))).map(({ path }) => path);
}

async function writtenIn(folder: string, since: number): Promise<readonly string[]> {
  const pages = await Promise.all(AGENT_PLACES.map(({ path }) => filesIn(join(folder, path))));
  const obeyed = await Promise.all(
    OBEYED_PLACES.map(({ path, isFolder }) => (isFolder ? filesIn(join(folder, path)) : [join(folder, path)])),
  );
  const named = [...CONFIG_NAMES, ...INSTRUCTION_NAMES].map((name) => join(folder, name));
  const files = [...new Set([...named, ...pages.flat(), ...obeyed.flat()])];
  const written = await Promise.all(files.map(async (file) => (await changedAt(file)) >= since));
  return files.filter((_file, index) => written[index]);
}

const filesIn = (path: string): Promise<readonly string[]> =>
  path.endsWith('.md')
    ? Promise.resolve([path])
    : readdir(path).then(
        (names) => names.map((name) => join(path, name)),
        () => [],
      );

/** Of a symbolic link, also when what it leads to has changed. */
async function changedAt(path: string): Promise<number> {
  const found = await Promise.all([lstat, stat].map((look) => look(path).catch(() => null)));
  return Math.max(...found.map((one) => one?.ctimeMs ?? -Infinity));
}
