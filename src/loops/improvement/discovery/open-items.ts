import { z } from 'zod';
import { jsonIn } from '../../../text/json-in.ts';
import { type Found, RULE_SCORES } from './finding-facts.ts';

/** The items of a list, and why some of it could not be read. */
export interface ReadItems {
  readonly items: readonly Found[];
  readonly problem: string | null;
}

const score = z.number().min(0).max(1).nullish();
const Item = z.union([
  z.string().min(1),
  z.looseObject({
    title: z.string().min(1),
    summary: z.string().nullish(),
    score,
    relevanceScore: score,
    file: z.string().nullish(),
  }),
]);
const Anything = z.array(z.unknown());
const List = z.union([Anything, z.looseObject({ items: Anything }).transform(({ items }) => items)]);

const MAX_NAMED_PROBLEMS = 3;

/**
 * Reads a list of open items: JSON, as an array or `{"items": […]}` of texts or of `{title, summary?, score?, file?}`;
 * JSON a line; or text, one item a line, where headings, done items (`- [x]`) and empty lines are left out. An item
 * without a score counts 0.5; a score of 0 stays 0.
 *
 * @example
 * openItems('- [ ] Say which file is missing\n').items[0]?.title; // 'Say which file is missing'
 */
export function openItems(text: string): ReadItems {
  const trimmed = text.trim();
  if (!/^[[{]/.test(trimmed)) return fromLines(trimmed);
  const value = jsonIn(trimmed) ?? jsonLines(trimmed);
  if (value === undefined) return /^\[[ xX]\]/.test(trimmed) ? fromLines(trimmed) : refused('it is not valid JSON');
  const list = List.safeParse(value);
  if (!list.success) return refused('it is neither an array nor {"items": […]}');
  const read = list.data.map((one) => Item.safeParse(one));
  const wrong = read.flatMap(({ success }, index) => (success ? [] : [index + 1]));
  return {
    items: read.flatMap((one) => (one.success ? [itemOf(one.data)] : [])),
    problem: wrong.length === 0 ? null : problemOf(wrong),
  };
}

const problemOf = (wrong: readonly number[]): string => {
  const named = wrong.slice(0, MAX_NAMED_PROBLEMS).join(', ');
  const more = wrong.length > MAX_NAMED_PROBLEMS ? ` and ${wrong.length - MAX_NAMED_PROBLEMS} more` : '';
  return `item ${named}${more}: expected a text, or {title, summary?, score?} with a score from 0 to 1`;
};

const refused = (problem: string): ReadItems => ({ items: [], problem });

const fromLines = (text: string): ReadItems => ({ items: linesOf(text).map((title) => itemOf(title)), problem: null });

/** Undefined where any line is not JSON. */
function jsonLines(text: string): unknown {
  const values = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map(jsonIn);
  return values.includes(undefined) ? undefined : values;
}

const DONE = /^(?:[-*+] )?\[[xX]\]/;

const linesOf = (text: string): readonly string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#') && !DONE.test(line))
    .map((line) => line.replace(/^(?:[-*+]|\d+[.)])\s+/, '').replace(/^\[ ?\]\s*/, ''))
    .filter((line) => line !== '');

function itemOf(item: z.output<typeof Item>): Found {
  const { title, summary, score: own, relevanceScore, file } = typeof item === 'string' ? { title: item } : item;
  return {
    source: 'items',
    title,
    summary: summary ?? title,
    score: own ?? relevanceScore ?? RULE_SCORES.unscored,
    identity: title,
    ...(file == null ? {} : { file }),
  };
}
