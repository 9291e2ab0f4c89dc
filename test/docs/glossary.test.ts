import { expect, test } from 'vitest';
import { turn } from '../../machines/turn.machine.ts';
import { Ending, Finding } from '../../machines/outcome.ts';
import type { EffectClass } from '../../src/actors/actor.ts';
import { trackedTree } from '../repository/tree.ts';
import { pages } from './examples.ts';

const MOST_WORDS = 40;

const lines = (pages().get('docs/glossary.md') ?? '').split('\n');
const entries = lines.flatMap((line) => [...(/^- \*\*([\w-]+)\*\*: \S/.exec(line)?.slice(1, 2) ?? [])]);
const sources = [...trackedTree()].filter(([path]) => /^(machines|src)\//.test(path)).map(([, text]) => text);
// A name is made of words: `findingOf` is about a finding.
const code = sources
  .join('\n')
  .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
  .toLowerCase();

const isInCode = (term: string) => new RegExp(`(?<![a-z])${term.toLowerCase()}s?(?![a-z])`).test(code);

const effectClasses = { repeatable: true, reconcilable: true, once: true } satisfies { [name in EffectClass]: true };

test('the glossary explains at most 40 special words, each once', () => {
  expect(entries.length).toBeGreaterThan(20);
  expect(entries.length).toBeLessThanOrEqual(MOST_WORDS);
  expect(lines.filter((line) => line.startsWith('-')).length).toBe(entries.length);
  expect(entries.filter((term, index) => entries.indexOf(term) !== index)).toEqual([]);
});

test('no word has two meanings', () => {
  const explained = lines.slice(0, lines.indexOf('## Events')).join(' ');
  expect(explained.match(/\bAlso\b|(?<=\. )Of an? [\w ]+:/g)).toBeNull();
});

test('every word is used in the code', () => {
  expect(entries.filter((term) => !isInCode(term))).toEqual([]);
  expect(isInCode('thingamajig')).toBe(false);
});

test('the glossary explains every ending, effect class and level of a finding', () => {
  const words = [...Ending.options, ...Object.keys(effectClasses), ...Finding.shape.level.options];
  expect(words.filter((word) => !entries.includes(word))).toEqual([]);
});

test('the page about architecture explains every state of a machine that is no ending', () => {
  const page = pages().get('docs/architecture.md') ?? '';
  const states = Object.keys(turn.states).filter((state) => !Ending.options.some((ending) => ending === state));
  expect(states.length).toBeGreaterThan(3);
  expect(states.filter((state) => !page.includes(`\n| \`${state}\` | `))).toEqual([]);
});
