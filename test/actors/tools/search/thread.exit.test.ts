import type * as Threads from 'node:worker_threads';
import { expect, test, vi } from 'vitest';
import type { GlobRequest } from '../../../../src/actors/tools/search/request.ts';
import { search } from '../../../../src/actors/tools/search/search-thread.ts';
import { workspace } from '../workspace.ts';

const { started } = vi.hoisted(() => ({ started: [] as Threads.Worker[] }));

vi.mock('node:worker_threads', async (original) => {
  const threads = await original<typeof Threads>();
  class Watched extends threads.Worker {
    constructor(...words: ConstructorParameters<typeof threads.Worker>) {
      super(...words);
      started.push(this);
    }
  }
  return { ...threads, Worker: Watched };
});

const globbing = (directory: string): GlobRequest => ({
  kind: 'glob',
  place: { path: '.', real: directory, root: directory },
  prefix: '',
  pattern: '*.txt',
  includeIgnored: false,
  limitMs: 10_000,
});

test('a thread that has gone in the middle of a search is asked no more', async () => {
  const { directory } = await workspace({ 'b.txt': '' });
  const { signal } = new AbortController();
  const broken = search(globbing(directory), signal, 10_000);
  void started[0]?.terminate();
  await expect(broken).rejects.toThrow('broke off');
  expect(await search(globbing(directory), signal, 10_000)).toBe('b.txt');
});
