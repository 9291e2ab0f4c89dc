import { type Command, parse, type SyntaxNode } from 'unbash';
import { wordsOf } from '../shell-syntax.ts';
import { joined } from '../workspace-paths.ts';

/** One part of `a && b`. */
export interface ListPart {
  readonly text: string;
  /** Its words, without quotation marks, where it has nothing else. */
  readonly words: readonly string[] | null;
  /** It starts one program, and is no pipeline. */
  readonly isCommand: boolean;
  /** It sets the shell up for what follows, and belongs to each later part. */
  readonly isSetup: boolean;
}

const SETUP: ReadonlySet<string> = new Set(['cd', 'export', '.', 'source', 'set']);
/** They change the shell that the next part runs in, in another way. */
const STATEFUL: ReadonlySet<string> = new Set(
  `alias declare eval exec exit function getopts hash local popd pushd read readonly return shift shopt trap typeset
   ulimit umask unalias unset wait`.split(/\s+/),
);
/** Marks of what a part may leave to the next one, or of what has no end within its line. */
const ENTANGLED = /<<|\n|\$[?!_]|\$\{[^}]*=/;
/** Marks of what is worked out anew in front of each part, and may not be the same each time. */
const COMPUTED = /\$\(|`/;

/**
 * The parts of a command that is a list of `&&` alone. Null: it is another one, or it is not sure where it can be cut.
 *
 * @example
 * listOf('cd web && eslint . && vitest')?.map(({ text }) => text); // ['cd web', 'eslint .', 'vitest']
 */
export function listOf(command: string): readonly ListPart[] | null {
  const { commands, errors = [] } = parse(command);
  const [only, ...others] = commands;
  if (!only || only.background || others.length > 0 || errors.length > 0 || ENTANGLED.test(command)) return null;
  const isList = only.command.type === 'AndOr';
  if (only.command.type === 'AndOr' && only.command.operators.some((operator) => operator !== '&&')) return null;
  const nodes: readonly SyntaxNode[] = isList ? only.command.commands : [only.command];
  const parts = nodes.map((node) => partOf(node, command));
  const known = parts.filter((part) => part !== null);
  return known.length === parts.length && known.at(-1)?.isSetup === false ? known : null;
}

function partOf(node: SyntaxNode, command: string): ListPart | null {
  const text = command.slice(node.pos, node.end);
  if (node.type === 'Pipeline' || node.type === 'Subshell') {
    return { text, words: null, isCommand: false, isSetup: false };
  }
  if (node.type !== 'Command') return null;
  const { name } = node;
  const isSetup = name === undefined || SETUP.has(name.value);
  if (STATEFUL.has(name?.value ?? '') || (isSetup && COMPUTED.test(text))) return null;
  return { text, words: isPlain(node) ? wordsOf(node) : null, isCommand: true, isSetup };
}

/** Without variables of its own, and with its output where it would be. */
const isPlain = ({ prefix, redirects }: Command): boolean => prefix.length === 0 && redirects.length === 0;

/** The folder that a shell is in after a part. Null: it is not known. */
export function folderAfter({ words, isSetup }: ListPart, folder: string): string | null {
  if (!isSetup || words?.[0] !== 'cd') return folder;
  const [, to = '', ...more] = words;
  return more.length === 0 && /^[\w@.][\w@./-]*$/.test(to) ? joined(folder, to) : null;
}
