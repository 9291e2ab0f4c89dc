import { objectIn } from '../key-grounds.ts';
import { packageAbove, scriptIn } from '../package-manifest.ts';
import { folderOf, nameOf } from '../workspace-paths.ts';

/** The texts of files that say what a check runs, by path. */
export type StepFiles = ReadonlyMap<string, string>;

/** One script that a manager runs. */
export interface ScriptPart {
  readonly name: string;
  readonly text: string;
  /** The command that runs it alone. Null: there is none. */
  readonly command: string | null;
}

/** A script that a command calls, and what its manager runs beside it. */
export interface CalledScript {
  /** The folder of its package. */
  readonly folder: string;
  /** In order: before it, itself, after it. */
  readonly parts: readonly ScriptPart[];
}

const VERBS: ReadonlySet<string> = new Set(['run', 'run-script']);
const ALONE: Readonly<Record<string, ReadonlySet<string>>> = {
  npm: new Set(['test', 't', 'tst']),
  pnpm: new Set(['test', 't']),
  yarn: new Set(['test']),
  bun: new Set(),
};

/** The script that a command calls, where it says nothing else. Null: it may call something else. */
function callIn([program = '', ...words]: readonly string[]): {
  readonly manager: string;
  readonly name: string;
} | null {
  const manager = nameOf(program) === program ? program : '';
  const [verb = '', name = verb, ...more] = words.filter((word) => word !== '-s' && word !== '--silent');
  if (manager === 'node') return verb === '--run' && words.length === 2 ? { manager, name } : null;
  if (!ALONE[manager] || more.length > 0 || name.startsWith('-')) return null;
  if (VERBS.has(verb) && name !== verb) return { manager, name };
  return ALONE[manager].has(verb) && name === verb ? { manager, name: 'test' } : null;
}

/**
 * The scripts that a command of a package manager runs in a folder. Null: it calls none, or it is not sure what its
 * manager runs beside it. npm and the first Yarn run `preNAME` and `postNAME`, and Node does not. With the others that
 * depends on their version and settings.
 */
export function scriptCalled(words: readonly string[], folder: string, files: StepFiles): CalledScript | null {
  const call = callIn(words);
  const path = call && packageAbove(folder, files);
  if (!call || path === null) return null;
  const { manager, name } = call;
  const manifest = objectIn(files.get(path) ?? '') ?? {};
  const textOf = (script: string) => nonBlank(scriptIn(manifest, script));
  const own = textOf(name);
  if (own === null || isSetOtherwise(files)) return null;
  const around = [`pre${name}`, `post${name}`].map(textOf);
  const found = { folder: folderOf(path) };
  const alone = [{ name, text: own, command: words.join(' ') }];
  if (manager === 'node' || around.every((text) => text === null)) return { ...found, parts: alone };
  const runsAround = manager === 'npm' || (manager === 'yarn' && isClassic(manifest));
  if (!runsAround) return null;
  const parts = [`pre${name}`, name, `post${name}`].flatMap((script) => {
    const text = textOf(script);
    const command = manager === 'npm' ? `npm run ${script} --ignore-scripts` : null;
    return text === null ? [] : [{ name: script, text, command }];
  });
  return { ...found, parts };
}

const isClassic = ({ packageManager }: Readonly<Record<string, unknown>>): boolean =>
  typeof packageManager === 'string' && packageManager.startsWith('yarn@1.');

/** Another shell, or no scripts around the one that is called. */
const isSetOtherwise = (files: StepFiles): boolean =>
  [...files].some(
    ([path, text]) => nameOf(path) === '.npmrc' && /^[^\S\r\n\u2028\u2029]*(?:script-shell|ignore-scripts)/m.test(text),
  );

const nonBlank = (text: string | null): string | null => (text === null || text.trim() === '' ? null : text);
