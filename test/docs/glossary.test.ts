import { expect, test } from 'vitest';
import { Level } from '../../machines/events.ts';
import { turn } from '../../machines/turn.machine.ts';
import { Ending, Finding } from '../../machines/outcome.ts';
import type { EffectClass } from '../../src/actors/actor.ts';
import { trackedTree } from '../repository/tree.ts';
import { pages } from './examples.ts';

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

test('fewer than 70 words are special, and each is explained once', () => {
  expect(entries.length).toBeGreaterThan(40);
  expect(entries.length).toBeLessThan(70);
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

test('states, endings, effect classes and levels are all explained', () => {
  const words = [
    ...Object.keys(turn.states),
    ...Ending.options,
    ...Object.keys(effectClasses),
    ...Level.options,
    ...Finding.shape.level.options,
  ];
  expect(words.filter((word) => !entries.includes(word))).toEqual([]);
});
