import type { PermissionRule } from '../../machines/permissions.ts';
import { withoutLaunchers } from '../evidence/reading-commands.ts';
import { fitsGlob } from '../evidence/path-globs.ts';
import { starPattern } from '../text/star-pattern.ts';
import type { CallPart } from './call-parts.ts';
import { type CommandWord, programOf } from './command-parts.ts';

/** Whether a rule is meant for a part of a call. `maybe`: that is known only when it runs. */
export type Fit = 'yes' | 'maybe' | 'no';

/**
 * Tells whether a rule fits a part of a call. What allows is read strictly: all of the part has to be what the rule
 * names. What asks or denies is read widely: some of it is enough, however it is started.
 */
export function fitOf(rule: PermissionRule, part: CallPart): Fit {
  if (!part.names.some((name) => fitsPattern(rule.tool, name))) return 'no';
  const { by, pattern = '' } = rule;
  const isAllowing = rule.action === 'allow';
  switch (by) {
    case undefined:
      return 'yes';
    case 'command':
      return isAllowing ? allowsCommand(pattern, part) : deniesCommand(pattern, part);
    case 'path':
      return fitOfEach(part.paths, part.mentions, globOf(pattern), isAllowing, part.isOpen);
    case 'host':
      return fitOfEach(part.hosts, [], (host) => fitsPattern(pattern.toLowerCase(), host), isAllowing, part.isOpen);
    default:
      return fitOfEach(valuesOf(part.arguments, by), [], (text) => fitsPattern(pattern, text), isAllowing, false);
  }
}

/** A glob from the workspace; an absolute one holds where the path lies elsewhere. */
const globOf = (pattern: string): ((path: string) => boolean) => {
  const isAny = pattern === '**' || pattern === '*';
  const fits = fitsGlob(pattern);
  return (path) => (isAny ? !path.startsWith('/') : fits(path));
};

function fitOfEach(
  values: readonly string[],
  mentions: readonly string[],
  fits: (value: string) => boolean,
  isAllowing: boolean,
  isOpen: boolean,
): Fit {
  // A command that names a path may do more than that.
  if (isAllowing) return !isOpen && values.length > 0 && mentions.length === 0 && values.every(fits) ? 'yes' : 'no';
  if (values.some(fits) || mentions.some(fits)) return 'yes';
  return isOpen ? 'maybe' : 'no';
}

/** The whole beginning of the command, as it is written. */
function allowsCommand(pattern: string, { words, isOpen }: CallPart): Fit {
  const wanted = wordsOf(pattern);
  const begins = wanted.every((word, index) => isThatWord(word, words[index]) === 'yes');
  return !isOpen && words.length > 0 && begins ? 'yes' : 'no';
}

/** The command in whatever way it is started, with options between its words. */
function deniesCommand(pattern: string, { words, purpose, isOpen }: CallPart): Fit {
  if (isOpen) return 'maybe';
  if (words.length === 0) return purpose === 'command' ? 'maybe' : 'no';
  const wanted = wordsOf(pattern);
  const own = withoutAssignments(words);
  const started = own.slice(own.length - withoutLaunchers(own.map(({ text }) => text)).length);
  return best([own, started].map((all) => beginning(wanted, all)));
}

const withoutAssignments = (words: readonly CommandWord[]): readonly CommandWord[] =>
  words.slice(
    Math.max(
      0,
      words.findIndex(({ text }) => !/^\w+=/.test(text)),
    ),
  );

function beginning([program = '', ...wanted]: readonly string[], words: readonly CommandWord[]): Fit {
  const [first, ...rest] = words;
  const named = first && programOf(first) !== '' ? { ...first, text: programOf(first) } : first;
  const fit = isThatWord(program, named) === 'yes' ? 'yes' : isThatWord(program, first);
  return fit === 'no' ? 'no' : worst([fit, within(wanted, rest)]);
}

/** The wanted words in their order. Between them stand options alone, each with at most one word of its own. */
function within([wanted, ...more]: readonly string[], words: readonly CommandWord[]): Fit {
  if (wanted === undefined) return 'yes';
  const [next, ...rest] = words;
  if (!next) return 'no';
  const fit = isThatWord(wanted, next);
  const here = fit === 'no' ? 'no' : worst([fit, within(more, rest)]);
  if (here === 'yes' || !next.text.startsWith('-')) return here;
  const later = [rest, ...(rest[0]?.text.startsWith('-') ? [] : [rest.slice(1)])];
  return best([here, ...later.map((left) => within([wanted, ...more], left))]);
}

const fitsPattern = (pattern: string, text: string): boolean => starPattern(pattern).test(text);

function isThatWord(pattern: string, word: CommandWord | undefined): Fit {
  if (!word) return 'no';
  if (!word.isFixed) return 'maybe';
  return fitsPattern(pattern, word.text) ? 'yes' : 'no';
}

const ORDER: readonly Fit[] = ['yes', 'maybe', 'no'];
const best = (fits: readonly Fit[]): Fit => ORDER.find((one) => fits.includes(one)) ?? 'no';
const worst = (fits: readonly Fit[]): Fit => ORDER.findLast((one) => fits.includes(one)) ?? 'no';

/** The words of a pattern: `npm test *` is what begins with `npm test`. */
const wordsOf = (pattern: string): readonly string[] =>
  pattern
    .replace(/\s+\*$/, '')
    .split(/\s+/)
    .filter((word) => word !== '');

/** The texts of an argument: its own, or each of a list. `repository.name` is that of an object in it. */
function valuesOf(given: unknown, by: string): readonly string[] {
  const value = by
    .split('.')
    .reduce<unknown>((at, key) => (Object.hasOwn(Object(at), key) ? Object(at)[key] : undefined), given);
  const all = Array.isArray(value) ? value : [value];
  return all.flatMap((one) => (['string', 'number', 'boolean'].includes(typeof one) ? [String(one)] : []));
}
