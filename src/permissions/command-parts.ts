import {
  type Assignment,
  type Command,
  forEachChild,
  parse,
  type Redirection,
  type SyntaxNode,
  type Word,
  type WordPart,
} from 'unbash';
import { nameOf } from '../evidence/workspace-paths.ts';

/** A word of a command without its quotation marks. `isFixed`: the shell makes nothing else of it when it runs. */
export interface CommandWord {
  readonly text: string;
  readonly isFixed: boolean;
}

/** What a shell command does, part by part. */
export interface CommandParts {
  /** The simple commands in it, wherever they stand. */
  readonly commands: readonly (readonly CommandWord[])[];
  /** Files that it reads its input from, and that it writes its output to. */
  readonly reads: readonly CommandWord[];
  readonly writes: readonly CommandWord[];
  /** Some of it could not be read: it may do anything. */
  readonly isOpen: boolean;
}

/** Parts that are nested deeper are not looked at. */
const MAX_DEPTH = 60;
/** Programs that are given a command as a text. */
const SHELLS: ReadonlySet<string> = new Set('sh bash dash zsh ksh ash'.split(' '));
/** Options of `find` that start a program. */
const STARTS_PROGRAM = /^-(?:exec|execdir|ok|okdir)$/;
const NOWHERE: ReadonlySet<string> = new Set(['/dev/null', '/dev/stderr', '/dev/stdout', '/dev/tty']);

/**
 * Reads a command as a shell does: each simple command that it would run, also those in a substitution, in a text that
 * is given to another shell, and those that `find` starts.
 *
 * @example
 * commandParts('cd app && npm test > out.txt').commands.map(textOf); // ['cd app', 'npm test']
 */
export function commandParts(command: string): CommandParts {
  const found = { commands: [], reads: [], writes: [], isOpen: false };
  read(command, found, 0);
  return found;
}

interface Found {
  readonly commands: (readonly CommandWord[])[];
  readonly reads: CommandWord[];
  readonly writes: CommandWord[];
  isOpen: boolean;
}

function read(text: string, found: Found, depth: number): void {
  walk(parse(text), found, depth);
}

function walk(node: SyntaxNode, found: Found, depth: number): void {
  if (depth > MAX_DEPTH || ('errors' in node && (node.errors?.length ?? 0) > 0)) {
    found.isOpen = true;
    return;
  }
  if (node.type === 'Command') take(node, found, depth);
  if (node.type === 'Redirected') for (const one of node.redirects) redirect(one, found);
  forEachChild(node, (child) => walk(child, found, depth + 1));
}

function take(command: Command, found: Found, depth: number): void {
  for (const one of command.redirects) redirect(one, found);
  const { name, prefix, args } = command;
  if (!name) return;
  // An assignment before a command may change which program it is.
  const given = prefix.flatMap((one) => (one.type === 'Assignment' ? [assigned(one)] : []));
  const words = [wordIn(name), ...args.map((one) => (one.type === 'Word' ? wordIn(one) : assigned(one)))];
  found.commands.push([...given, ...words]);
  started(words, found, depth);
}

/** The commands that a command is given as a text, or as words. */
function started([program, ...rest]: readonly CommandWord[], found: Found, depth: number): void {
  if (!program) return;
  const name = programOf(program);
  if (name === 'eval') return nested(rest, found, depth);
  if (name === 'find') return startedByFind(rest, found, depth);
  // The words of what a launcher such as sudo or env starts stand behind its own.
  const shell = [program, ...rest].findIndex((word) => SHELLS.has(programOf(word)));
  const option = rest.findIndex(({ text }, index) => index >= shell && /^-[a-z]*c$/.test(text));
  if (shell >= 0 && option >= 0) nested(rest.slice(option + 1, option + 2), found, depth);
}

function startedByFind(words: readonly CommandWord[], found: Found, depth: number): void {
  const at = words.findIndex(({ text }) => STARTS_PROGRAM.test(text));
  if (at < 0) return;
  const rest = words.slice(at + 1);
  const end = rest.findIndex(({ text }) => text === ';' || text === '+');
  const own = end < 0 ? rest : rest.slice(0, end);
  found.commands.push(own);
  started(own, found, depth);
  if (end >= 0) startedByFind(rest.slice(end + 1), found, depth);
}

function nested(words: readonly CommandWord[], found: Found, depth: number): void {
  if (words.length === 0 || !words.every(({ isFixed }) => isFixed)) found.isOpen = true;
  else read(textOf(words), found, depth + 1);
}

function redirect(one: Redirection, found: Found): void {
  if (one.type !== 'Redirect' || one.target === undefined) return;
  const target = wordIn(one.target);
  // `2>&1` names no file.
  if (NOWHERE.has(target.text) || one.operator === '<&' || /^\d+$|^-$/.test(target.text)) return;
  (one.operator === '<' ? found.reads : found.writes).push(target);
}

/** A simple command as a text. */
export const textOf = (words: readonly CommandWord[]): string => words.map(({ text }) => text).join(' ');

/** The name of a program, wherever it lies. Empty: it is known when it runs. */
export const programOf = ({ text, isFixed }: CommandWord): string => (isFixed ? nameOf(text) : '');

const wordIn = ({ value, parts = [] }: Word): CommandWord => ({ text: value, isFixed: areFixed(parts) });

const assigned = ({ text, value }: Assignment): CommandWord => ({
  text,
  isFixed: value.type === 'Word' && areFixed(value.parts ?? []),
});

const FIXED: ReadonlySet<string> = new Set(['Literal', 'SingleQuoted', 'AnsiCQuoted']);

const areFixed = (parts: readonly WordPart[]): boolean =>
  parts.every((part) =>
    part.type === 'DoubleQuoted' || part.type === 'LocaleString'
      ? part.parts.every(({ type }) => type === 'Literal')
      : FIXED.has(part.type),
  );
