import { readFileSync, statSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { CONFIG_NAMES } from '../config/config-names.ts';

/** A longer file of settings is not looked at. */
const MAX_FILE_BYTES = 1_000_000;
/** Folders upwards. */
const MAX_FOLDERS = 64;
const OWN = /^LOOPFOLD_/;

/**
 * Variables whose names stand in settings: in arguments, in variables of ours, in files of settings from here upwards
 * and of the user. Most hold the key of a provider or the address of a log. Settings are not known yet where this is
 * asked, so names are looked for in their text: a variable more than needed does no harm.
 */
export function variablesInSettings(words: readonly string[], environment: NodeJS.ProcessEnv): readonly string[] {
  const own = Object.entries(environment).flatMap(([name, value]) => (OWN.test(name) ? [value ?? ''] : []));
  const text = [...words, ...own, ...filesOf(words, environment).map(textOf)].join('\n');
  const said = new Set(text.match(/[A-Za-z_]\w*/g));
  return Object.keys(environment).filter((name) => !OWN.test(name) && said.has(name));
}

function filesOf(words: readonly string[], environment: NodeJS.ProcessEnv): readonly string[] {
  const { XDG_CONFIG_HOME, HOME } = environment;
  const folders = [process.cwd()];
  while (folders.length < MAX_FOLDERS && folders.at(-1) !== dirname(folders.at(-1) ?? ''))
    folders.push(dirname(folders.at(-1) ?? ''));
  const places = [...folders, join(XDG_CONFIG_HOME ?? join(HOME ?? homedir(), '.config'), 'loopfold')];
  const given = words.filter((word) => /\.(?:json|[jt]s|mjs)$/.test(word)).map((word) => word.replace(/^--\w+=/, ''));
  return [...given, ...places.flatMap((folder) => CONFIG_NAMES.map((name) => join(folder, name)))];
}

/** A file that cannot be read names nothing here: reading the settings says so. */
function textOf(file: string): string {
  try {
    const { size } = statSync(file);
    return size > MAX_FILE_BYTES ? '' : readFileSync(file, 'utf8');
  } catch {
    return '';
  }
}
