import { parse } from 'yaml';
import { objectIn } from './key-grounds.ts';
import { FOLDER_KEYS, GLOB_KEYS, namingKeys, PART_KEYS, TOOLS_IN_PACKAGE } from './configuration-keys.ts';
import { importedIn, quotedUnder, tokensOf } from './quotes-in-source.ts';
import { fileMeant, folderOf, joined, nameOf } from './workspace-paths.ts';

/** What one configuration file names. */
export interface Named {
  readonly files: readonly string[];
  /** From the top of the workspace. */
  readonly globs: readonly string[];
  /** The files among these that are part of the configuration, and may name further ones. */
  readonly parts: readonly string[];
}

const CODE = /\.[cm]?[jt]sx?$/;
const YAML = /(\.ya?ml|\.taprc)$/;

/** Whether a configuration file is code: what it computes is not known. */
export const isCode = (path: string): boolean => CODE.test(path);

/**
 * The files that a configuration file names, by its text alone: nothing of it runs. `kind`: the file whose kind of
 * configuration it is, because a part of it may have any name.
 */
export function namedIn(path: string, text: string, paths: ReadonlySet<string>, kind = path): Named {
  if (nameOf(path) === 'package.json') return inPackage(path, text, paths);
  const tokens = tokensOf(YAML.test(path) ? asJson(text) : text);
  const named = underKeys(path, namingKeys(kind), tokens, paths);
  const imported = isCode(path) ? filesAmong(path, importedIn(tokens), paths) : [];
  const extended = filesAmong(path, quotedUnder(PART_KEYS, tokens), paths);
  return { ...named, files: [...named.files, ...imported], parts: [...imported, ...extended] };
}

function inPackage(path: string, text: string, paths: ReadonlySet<string>): Named {
  const value = objectIn(text) ?? {};
  const found = TOOLS_IN_PACKAGE.filter((tool) => Object.hasOwn(value, tool)).map((tool) =>
    underKeys(path, namingKeys(tool), tokensOf(JSON.stringify(value[tool])), paths),
  );
  return { files: found.flatMap(({ files }) => files), globs: found.flatMap(({ globs }) => globs), parts: [] };
}

function underKeys(path: string, keys: ReadonlySet<string>, tokens: readonly string[], paths: ReadonlySet<string>) {
  const globs = quotedUnder(common(keys, GLOB_KEYS), tokens);
  const folders = quotedUnder(common(keys, FOLDER_KEYS), tokens).map((text) => `${text}/**`);
  const fromTop = [...globs, ...folders].flatMap((text) => fromTopOf(path, text) ?? []);
  return { files: filesAmong(path, quotedUnder(keys, tokens), paths), globs: fromTop };
}

const common = (one: ReadonlySet<string>, other: ReadonlySet<string>) =>
  new Set([...one].filter((key) => other.has(key)));

const filesAmong = (path: string, texts: readonly string[], paths: ReadonlySet<string>): readonly string[] =>
  texts.flatMap((text) => {
    const meant = fromTopOf(path, text);
    const file = meant === null || !text.includes('/') ? meant : fileMeant(meant, paths);
    return file !== null && paths.has(file) ? [file] : [];
  });

/** As it is written in a configuration file, from the top of the workspace. Null: it leads out, or is the top. */
const fromTopOf = (path: string, text: string): string | null =>
  joined(folderOf(path), text.replace(/^<rootDir>\//, './')) || null;

function asJson(yaml: string): string {
  try {
    return JSON.stringify(parse(yaml)) ?? '';
  } catch {
    return '';
  }
}
