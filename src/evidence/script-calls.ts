import { nameOf } from './workspace-paths.ts';

/** What a command calls of the `scripts` in a `package.json`. */
export interface ScriptCalls {
  readonly names: readonly string[];
  /** It asks for scripts of other packages than the one it is called in. */
  readonly isElsewhere: boolean;
}

const NOTHING: ScriptCalls = { names: [], isElsewhere: false };
const ELSEWHERE = /^(-w|-ws|--workspaces?|-F|--filter|-r|--recursive|--prefix|-C|--cwd|--dir)(=|$)/;
const SHORT: ReadonlyMap<string, string> = new Map([
  ['t', 'test'],
  ['tst', 'test'],
]);
const OF_NPM: ReadonlySet<string> = new Set(['test', 'start', 'stop', 'restart']);

/**
 * The scripts that a command calls by a package manager, or by Node.
 *
 * @example
 * scriptCalls(['npm', 'run', 'check']).names; // ['check']
 */
export function scriptCalls([program = '', ...words]: readonly string[]): ScriptCalls {
  const given = words.slice(0, words.includes('--') ? words.indexOf('--') : words.length);
  switch (nameOf(program)) {
    case 'npm':
    case 'pnpm':
    case 'yarn':
    case 'bun':
      return { names: calledBy(nameOf(program), given), isElsewhere: given.some((word) => ELSEWHERE.test(word)) };
    case 'node': {
      const [, name] = /^--run(?:=(.*))?$/.exec(words[0] ?? '') ?? [];
      return words[0]?.startsWith('--run') ? { ...NOTHING, names: [name ?? words[1] ?? ''] } : NOTHING;
    }
    case 'npm-run-all':
    case 'run-s':
    case 'run-p':
      return { ...NOTHING, names: given.filter((word) => !word.startsWith('-')) };
    default:
      return NOTHING;
  }
}

function calledBy(manager: string, words: readonly string[]): readonly string[] {
  const [verb = '', ...rest] = words.filter((word) => !word.startsWith('-'));
  if (['run', 'run-script', 'rum', 'urn'].includes(verb)) return rest.slice(0, 1);
  const name = SHORT.get(verb) ?? verb;
  // The test runner of Bun is no script.
  if (manager === 'npm') return OF_NPM.has(name) ? [name] : [];
  return manager === 'bun' && name === 'test' ? [] : [name];
}
