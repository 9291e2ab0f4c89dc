import { parse, type SyntaxNode } from 'unbash';
import { withoutLaunchers } from '../evidence/reading-commands.ts';
import { partsOf, wordsOf } from '../evidence/shell-syntax.ts';
import { parseDuration } from '../text/duration.ts';

/** Programs that look at something which others bring about, and options that say so. */
export const WAITING_WORDS: readonly string[] = [
  'sleep',
  '--watch',
  'watch',
  'gh run',
  'gh pr checks',
  'glab ci',
  'kubectl',
  'tail',
  'docker ps',
  'docker compose ps',
  'docker-compose ps',
  'systemctl status',
  'systemctl show',
  'systemctl is-active',
  'squeue',
];

/** A shorter pause is part of what a command does. */
const LEAST_SLEEP_MS = 5_000;
const MOST_SLEEP_MS = 30 * 86_400_000;
/** Programs that only surround a look. */
const AROUND: ReadonlySet<string> = new Set('cd date echo printf true : export set clear'.split(' '));

/**
 * The time that a command says it waits, in milliseconds. 0: it looks at what it waits for, without a pause; null: it
 * does not wait, as far as its words tell.
 *
 * @example
 * waitIn('sleep 60; gh run view 4711'); // 60000
 * waitIn('kubectl get pods'); // 0
 * waitIn('node server.js & sleep 2'); // null
 */
export function waitIn(command: string, words: readonly string[] = WAITING_WORDS): number | null {
  if (!words.some((word) => command.includes(word))) return null;
  const slept = words.includes('sleep') ? sleptIn(command) : 0;
  if (slept >= LEAST_SLEEP_MS) return slept;
  const looks = headsOf(parse(command)).filter((head) => !AROUND.has(head[0] ?? ''));
  return looks.length > 0 && looks.every((head) => fits(head, words)) ? slept : null;
}

const sleptIn = (command: string): number =>
  partsOf(command).reduce((sum, part) => {
    if (part.type !== 'Command') return sum;
    const [program, ...given] = withoutLaunchers(wordsOf(part));
    return program === 'sleep' ? sum + given.reduce((all, word) => all + durationOf(word), 0) : sum;
  }, 0);

function durationOf(word: string): number {
  const [, many, unit = 's'] = /^(\d+(?:\.\d+)?)([smhd])?$/.exec(word) ?? [];
  return many === undefined ? 0 : Math.min(MOST_SLEEP_MS, Number(many) * (parseDuration(`1${unit}`) ?? 0));
}

/** The first command of each pipeline of a list: what comes after it only reads what it prints. */
function headsOf(node: SyntaxNode): readonly (readonly string[])[] {
  switch (node.type) {
    case 'Script':
    case 'CompoundList':
    case 'AndOr':
      return node.commands.flatMap(headsOf);
    case 'Pipeline':
      return node.commands.slice(0, 1).flatMap(headsOf);
    case 'Statement':
    case 'Redirected':
      return headsOf(node.command);
    case 'Command':
      return [withoutLaunchers(wordsOf(node))];
    default:
      return [[node.type]];
  }
}

const fits = (head: readonly string[], words: readonly string[]): boolean =>
  words.some((word) => {
    if (word.startsWith('-')) return head.includes(word);
    const all = word.split(' ');
    return all.every((one, index) => head[index] === one);
  });
