import { type Command, parse, type SyntaxNode } from 'unbash';
import { withoutLaunchers } from '../evidence/reading-commands.ts';
import { wordsOf } from '../evidence/shell-syntax.ts';
import { nameOf } from '../evidence/workspace-paths.ts';

/** Programs that say "no" or "nothing found" with a status of 1, and fail with others. */
const ANSWERING: ReadonlySet<string> = new Set(
  'grep egrep fgrep rgrep zgrep rg ag diff cmp test [ which type pgrep'.split(' '),
);
const SHELLS: ReadonlySet<string> = new Set('sh bash dash zsh ksh'.split(' '));
/** Programs whose status is never the reason that a chain with `&&` ends with 1, as good as always. */
const PREPARING: ReadonlySet<string> = new Set('cd pushd popd export set source . echo printf true :'.split(' '));
/** Options of git before its command, of which the first ones have a value of their own. */
const GIT_OPTION_WITH_VALUE: ReadonlySet<string> = new Set(['-C', '-c', '--git-dir', '--work-tree']);
const MAX_NESTING = 4;

/**
 * Whether a status of 1 is an answer of this command. The status is that of the last program of a pipeline or a list,
 * and of any program of a chain with `&&`.
 *
 * @example
 * answersWithOne('cd src && LC_ALL=C /usr/bin/grep -rn main . '); // true
 * answersWithOne('grep -c main a.ts && npm test'); // false
 */
export function answersWithOne(command: string, nesting = 0): boolean {
  const last = parse(command).commands.at(-1);
  return last !== undefined && isAnswer(last, nesting);
}

function isAnswer(node: SyntaxNode, nesting: number): boolean {
  switch (node.type) {
    case 'Statement':
      return isAnswer(node.command, nesting);
    case 'Subshell':
    case 'BraceGroup':
      return isAnswer(node.body, nesting);
    case 'CompoundList':
    case 'Pipeline': {
      const last = node.commands.at(-1);
      return last !== undefined && isAnswer(last, nesting);
    }
    case 'Redirected':
      return isAnswer(node.command, nesting);
    case 'AndOr': {
      const chain = node.commands.slice(node.operators.lastIndexOf('||') + 1);
      const before = chain.slice(0, -1);
      const last = chain.at(-1);
      return before.every((one) => isPreparing(one) || isAnswer(one, nesting)) && !!last && isAnswer(last, nesting);
    }
    case 'TestCommand':
      return true;
    case 'Command':
      return isAnsweringProgram(node, nesting);
    default:
      return false;
  }
}

const isPreparing = (node: SyntaxNode): boolean => node.type === 'Command' && PREPARING.has(node.name?.value ?? '');

function isAnsweringProgram(command: Command, nesting: number): boolean {
  const all = wordsOf(command);
  // What finds a program out is named like what starts one.
  if (all[0] === 'command' && /^-[vV]$/.test(all[1] ?? '')) return true;
  const [program = '', ...given] = withoutLaunchers(all);
  const name = nameOf(program);
  if (name === 'git') return isAnsweringGit(given);
  if (!SHELLS.has(name)) return ANSWERING.has(name);
  const option = given.findIndex((word) => /^-[a-z]*c$/.test(word));
  const script = option < 0 ? undefined : given[option + 1];
  return script !== undefined && nesting < MAX_NESTING && answersWithOne(script, nesting + 1);
}

function isAnsweringGit(given: readonly string[]): boolean {
  let at = 0;
  while (given[at]?.startsWith('-')) at += GIT_OPTION_WITH_VALUE.has(given[at] ?? '') ? 2 : 1;
  const [verb, ...options] = given.slice(at);
  if (verb === 'diff') return options.some((word) => ['--exit-code', '--quiet', '--no-index'].includes(word));
  if (verb === 'merge-base') return options.includes('--is-ancestor');
  return verb === 'grep' || verb === 'check-ignore';
}
