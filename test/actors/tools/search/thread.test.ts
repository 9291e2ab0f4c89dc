import { describe, expect, test } from 'vitest';
import type { GrepRequest, SearchRequest } from '../../../../src/actors/tools/search/request.ts';
import { search } from '../../../../src/actors/tools/search/search-thread.ts';
import { testInTurn } from '../../../support/in-turn.ts';
import { workspace } from '../workspace.ts';

const quiet = new AbortController().signal;

const grepping = (directory: string, pattern: string): GrepRequest => ({
  kind: 'grep',
  place: { path: '.', real: directory, root: directory },
  prefix: '',
  pattern: { pattern, literal: false, ignoreCase: false },
  glob: null,
  context: 0,
  show: 'content',
  includeIgnored: false,
  limitMs: 10_000,
});

/** Backtracks practically for ever. */
const ENDLESS = '^(a+)+$';
const endless = { 'a.txt': `${'a'.repeat(60)}b` };

describe('a pattern that never comes to an end', () => {
  test('is ended when its time is up, and the model is told what to do', async () => {
    const { directory } = await workspace(endless);
    const searching = search(grepping(directory, ENDLESS), quiet, 300);
    await expect(searching).rejects.toMatchObject({
      code: 'search_timed_out',
      message: expect.stringContaining('simpler'),
    });
  });

  test('is ended as soon as its call is aborted, and the process continues meanwhile', async () => {
    const { directory } = await workspace(endless);
    const stop = new AbortController();
    const searching = search(grepping(directory, ENDLESS), stop.signal, 60_000);
    setTimeout(() => stop.abort(new Error('enough')), 50);
    await expect(searching).rejects.toThrow('enough');
  });

  testInTurn('of a name is ended too', async () => {
    const { directory } = await workspace({ ['a'.repeat(200)]: '' });
    const { place, prefix, includeIgnored, limitMs } = grepping(directory, 'x');
    const pattern = `${'*a'.repeat(40)}b`;
    const request: SearchRequest = { kind: 'glob', pattern, place, prefix, includeIgnored, limitMs };
    await expect(search(request, quiet, 300)).rejects.toMatchObject({ code: 'search_timed_out' });
  });

  testInTurn('leaves the next search, and those beside it, untouched', async () => {
    const { directory } = await workspace({ ...endless, 'b.txt': 'b\n' });
    const searches = Array.from({ length: 5 }, () => search(grepping(directory, '^b$'), quiet, 20_000));
    const ended = search(grepping(directory, ENDLESS), quiet, 300).catch(() => 'ended');
    expect(await Promise.all([...searches, ended])).toEqual([
      ...searches.map(() => 'b.txt:1:b\n[1 lines match, in 1 files]'),
      'ended',
    ]);
    expect(await search(grepping(directory, '^b$'), quiet, 20_000)).toContain('b.txt:1:b');
  });
});

test('a search that is out of time between two files answers with what it has', async () => {
  const { directory } = await workspace({ 'a.txt': 'a' });
  const request = { ...grepping(directory, 'a'), limitMs: -1 };
  expect(await search(request, quiet, 20_000)).toBe('[no line matches]\n[out of time, the rest was not looked at]');
});

testInTurn('a file of millions of lines that all match, each with lines around it, ends no process', async () => {
  const { directory } = await workspace({ 'a.txt': 'a\n'.repeat(2_400_000) });
  const request = { ...grepping(directory, 'a'), context: 20, limitMs: 30_000 };
  expect(await search(request, quiet, 60_000)).toMatch(/a\.txt:2400000:a\n\[2400000 lines match, in 1 files\]$/);
});
