import { lstat, readdir, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { AGENT_PLACES } from './agents/agent-places.ts';
import { CONFIG_NAMES } from './config-names.ts';
import { decidingAmong } from './deciding-file.ts';
import { INSTRUCTION_NAMES } from './instruction-names.ts';
import { OBEYED_PLACES } from './obeyed-files.ts';
import { foldersUpwards } from './places.ts';

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
