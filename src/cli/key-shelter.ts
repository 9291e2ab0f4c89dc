import { readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import { secretsIn } from '../log/secret-variables.ts';
import { makeTemporaryFolderNow } from '../log/temporary-folders.ts';
import { homedir } from 'node:os';
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
function variablesInSettings(words: readonly string[], environment: NodeJS.ProcessEnv): readonly string[] {
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

/** The verbs that start commands of an agent. */
const WORKING: ReadonlySet<string> = new Set([
  'run',
  'resume',
  'extend',
  'answer',
  'approve',
  'deny',
  'steer',
  'improve',
  'lab',
]);
/** Names the file with the keys, for the program that takes the place of this one. */
const HANDED_VARIABLE = 'LOOPFOLD_HANDED_KEYS';

const Keys = z.record(z.string(), z.string());

/**
 * Takes keys out of what other processes can read of this one (`/proc/PID/environ`). That text is of the start of a
 * program: so the program starts anew without them, and reads them from a file that is removed before any command runs.
 */
export function shelterKeys(words: readonly string[]): void {
  const [verb = ''] = words;
  const handed = process.env[HANDED_VARIABLE];
  if (handed !== undefined) return take(handed);
  if (process.platform !== 'linux' || !process.execve || !WORKING.has(verb)) return;
  const names = new Set(secretsIn(process.env, variablesInSettings(words, process.env)).map(({ name }) => name));
  if (names.size === 0) return;
  const all = Object.entries(process.env).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value] as const],
  );
  const file = fileWith(Object.fromEntries(all.filter(([name]) => names.has(name))));
  if (file === null) return;
  const rest = Object.fromEntries(all.filter(([name]) => !names.has(name)));
  process.execve(process.execPath, [process.argv0, ...process.execArgv, ...process.argv.slice(1)], {
    ...rest,
    [HANDED_VARIABLE]: file,
  });
}

/** Writes a file that this user alone reads. Null: there is no room for one, and keys stay where they are. */
function fileWith(keys: Readonly<Record<string, string>>): string | null {
  try {
    const file = join(makeTemporaryFolderNow('keys'), 'keys');
    writeFileSync(file, JSON.stringify(keys), { mode: 0o600, flag: 'wx' });
    return file;
  } catch {
    return null;
  }
}

function take(file: string): void {
  delete process.env[HANDED_VARIABLE];
  const keys = Keys.parse(JSON.parse(readFileSync(file, 'utf8')));
  rmSync(join(file, '..'), { recursive: true });
  Object.assign(process.env, keys);
}
