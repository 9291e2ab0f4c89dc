import { expect, test } from 'vitest';
import { fileIn, discoveryOf } from '../../../../src/loops/improvement/discovery/finding-facts.ts';
import { logErrors } from '../../../../src/loops/improvement/discovery/log-errors.ts';
import { openItems } from '../../../../src/loops/improvement/discovery/open-items.ts';
import { repeatedErrors } from '../../../../src/loops/improvement/discovery/error-repeats.ts';
import { uncoveredLines } from '../../../../src/loops/improvement/discovery/coverage-gaps.ts';

const FILES = fileIn(['src/a.ts', 'src/b.ts']);

test('I6 I9 uncovered lines count 0.3, a file a finding, whatever folder the report was made in', () => {
  const lcov =
    'TN:\nSF:/ci/build/src/a.ts\nDA:1,4\nDA:2,0\nDA:3,0\nDA:7,0\nend_of_record\nSF:src/b.ts\nDA:1,1\nend_of_record\n';
  const found = uncoveredLines(lcov, FILES);
  expect(found).toMatchObject([{ file: 'src/a.ts', score: 0.3, title: 'src/a.ts: 3 lines without a test' }]);
  expect(found?.[0]?.summary).toContain('2-3, 7');
});

test('I9 a line that one of several reports reaches is covered', () => {
  const lcov = 'SF:src/a.ts\nDA:1,0\nend_of_record\nSF:src/a.ts\nDA:1,2\nend_of_record\n';
  expect(uncoveredLines(lcov, FILES)).toEqual([]);
});

test('I9 what is no coverage report is told apart from one without gaps', () => {
  expect(uncoveredLines('<html>', FILES)).toBeNull();
  expect(uncoveredLines('', FILES)).toEqual([]);
});

const LOG = [
  '2030-01-01T10:00:00Z INFO started, 0 errors',
  '2030-01-01T10:00:01Z ERROR cannot open /srv/app-1/data.db after 30 ms',
  '    at open (/srv/app-1/db.js:12:4)',
  '2030-01-01T11:30:00Z ERROR cannot open /srv/app-2/data.db after 17 ms',
  '    at open (/srv/app-2/db.js:13:9)',
  'TypeError: x is not a function',
  '{"level":"error","msg":"no route"}',
].join('\n');

test('I9 errors of a log are told apart by their text without times, paths and lines', () => {
  const found = repeatedErrors('logs', logErrors(LOG, 'app.log'));
  expect(found.map(({ score, summary }) => [score, summary.split('\n')[0]])).toEqual([
    [0.65, 'Reported 2 times, in app.log:'],
    [0.4, 'Reported 1 time, in app.log:'],
    [0.4, 'Reported 1 time, in app.log:'],
  ]);
  expect(found[0]?.summary).toContain('at open (/srv/app-1/db.js:12:4)');
});

test('I9 an error that a log reports again on another day has the same fingerprint', () => {
  const id = (log: string) =>
    repeatedErrors('logs', logErrors(log, 'app.log')).map((one) => discoveryOf(one).fingerprint);
  expect(id('2031-05-05T01:02:03Z ERROR cannot open /var/data.db after 99 ms')).toEqual(id(LOG).slice(0, 1));
});

test('I6 an item without a score counts 0.5, and a score of 0 stays 0', () => {
  const { items, problem } = openItems('[{"title":"a","score":0},{"title":"b"},"c",{"title":"d","score":0.9}]');
  expect(items.map(({ title, score }) => [title, score])).toEqual([
    ['a', 0],
    ['b', 0.5],
    ['c', 0.5],
    ['d', 0.9],
  ]);
  expect(problem).toBeNull();
});

const LISTS = [
  [
    'lines',
    'first\n\n- second\n* [ ] third\n- [x] done\n# heading\n2. fourth\n',
    ['first', 'second', 'third', 'fourth'],
  ],
  ['checkboxes alone', '[ ] first\n[x] done', ['first']],
  ['an object', '{"items":["first"]}', ['first']],
  ['JSON a line', '{"title":"first"}\n{"title":"second"}\n', ['first', 'second']],
] as const;

for (const [form, text, titles] of LISTS) {
  test(`I9 a list of items may be ${form}`, () => {
    expect(openItems(text).items.map(({ title }) => title)).toEqual(titles);
  });
}

test('I9 an unreadable item is named, and the others count', () => {
  const { items, problem } = openItems('["a",{"title":"b","score":7},{"name":"c"}]');
  expect(items.map(({ title }) => title)).toEqual(['a']);
  expect(problem).toContain('item 2, 3:');
  expect(openItems('{"title":').problem).toContain('not valid JSON');
});
