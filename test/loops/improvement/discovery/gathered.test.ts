import { expect, test } from 'vitest';
import { Discovery, MAX_DISCOVERIES } from '../../../../machines/improvement-facts.ts';
import { discoveryOf, type Found } from '../../../../src/loops/improvement/discovery/finding-facts.ts';
import { gathered } from '../../../../src/loops/improvement/discovery/gather-findings.ts';

const found = (identity: string, score = 0.5, more: Partial<Found> = {}): Found => ({
  source: 'items',
  title: identity,
  summary: identity,
  score,
  identity,
  ...more,
});

test('I6 the most relevant come first, and those of one relevance in the order in which they were found', () => {
  const { discoveries } = gathered([found('a', 0.4), found('b', 1), found('c', 0.4), found('d', 1)], new Map());
  expect(discoveries.map(({ title }) => title)).toEqual(['b', 'd', 'a', 'c']);
});

test('I9 a finding counts once, and not again where it was tried or integrated', () => {
  const tried = discoveryOf(found('a')).fingerprint;
  const { discoveries, known } = gathered([found('a'), found('b', 0.2), found('b', 0.7)], new Map([[tried, null]]));
  expect(discoveries.map(({ title, relevanceScore }) => [title, relevanceScore])).toEqual([['b', 0.7]]);
  expect(known).toBe(1);
});

test('I9 no more are recorded than an event holds, and the others are counted', () => {
  const many = Array.from({ length: MAX_DISCOVERIES + 7 }, (_, index) =>
    found(`item ${String.fromCodePoint(0x4e00 + index)}`),
  );
  const { discoveries, left } = gathered(many, new Map());
  expect([discoveries.length, left]).toEqual([MAX_DISCOVERIES, 7]);
  expect(new Set(discoveries.map(({ id }) => id)).size).toBe(MAX_DISCOVERIES);
});

test('I9 whatever a tool prints, the discovery can be recorded', () => {
  const odd = `\u001b[31m${'x\ud800\n'.repeat(5_000)}`;
  const one = discoveryOf(found(odd, 1, { title: odd, summary: odd }));
  expect(Discovery.parse(one)).toEqual(one);
  expect(one.title).not.toContain('\n');
  expect(JSON.stringify(one).isWellFormed()).toBe(true);
});
