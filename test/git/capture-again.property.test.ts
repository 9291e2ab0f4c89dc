import { chmod, mkdir, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { captureFolder } from '../../src/git/capture/capture-folder.ts';
import { fc } from '../support/fast-check.ts';
import { tenthOfMany } from '../support/tenth.ts';
import { RUN } from './captured.ts';
import { repository } from './repository.ts';

const { signal } = new AbortController();
/** Each case starts many processes of git. */
const RUNS = tenthOfMany(60);
const NAMES = ['a', 'b.log', 'd/a', 'd/b.log', 'd', 'cache/x', 'cache/y.log', 'new/one', 'new/two.log'];
const RULES = ['.gitignore', 'd/.gitignore', 'cache/.gitignore', '.git/info/exclude'];
const WITHIN = ['within', 'd/within'];
const PATTERNS = ['', '*.log\n', '*\n', 'a\n', '!b.log\n'];
/** As old as files in a repository are: git trusts what it knows of them. */
const LONG_AGO = new Date('2026-01-01T00:00:00Z');

const edit = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({ does: fc.constant('write'), name: fc.constantFrom(...NAMES), text: fc.string() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      does: fc.constant('rule'),
      name: fc.constantFrom(...RULES),
      text: fc.constantFrom(...PATTERNS),
    }),
  },
  fc.record({
    does: fc.constantFrom('remove', 'link', 'execute', 'track', 'untrack'),
    name: fc.constantFrom(...NAMES, ...RULES.slice(0, 3)),
    text: fc.constant(''),
  }),
  fc.record({ does: fc.constant('commit'), name: fc.constant(''), text: fc.constant('') }),
  fc.record({
    does: fc.constantFrom('repository', 'repository with a commit'),
    name: fc.constantFrom(...WITHIN),
    text: fc.constant(''),
  }),
);
type Edit = typeof edit extends fc.Arbitrary<infer Value> ? Value : never;
type Project = Awaited<ReturnType<typeof repository>>;

/** What cannot be done as things are, such as to write a file where a folder is, is left. */
async function perform({ root, git }: Project, { does, name, text }: Edit): Promise<void> {
  const path = join(root, name);
  const within = (...args: string[]) =>
    git('-C', path, '-c', 'user.name=Ada', '-c', 'user.email=ada@example.org', ...args);
  try {
    if (does === 'write' || does === 'rule') {
      await mkdir(dirname(path), { recursive: true });
      await writeFile(path, text);
      await utimes(path, LONG_AGO, LONG_AGO);
    } else if (does === 'remove') await rm(path, { recursive: true, force: true });
    else if (does === 'link') await symlink('a', path);
    else if (does === 'execute') await chmod(path, 0o755);
    else if (does === 'track') await git('add', '--force', '--', name);
    else if (does === 'untrack') await git('rm', '--cached', '-r', '--quiet', '--', name);
    else if (does === 'commit') await git('commit', '--all', '--quiet', '--no-verify', '--message=by the run');
    else {
      await mkdir(path, { recursive: true });
      await writeFile(join(path, 'file'), 'of a repository within');
      await within('init', '--quiet');
      if (does.endsWith('commit')) await within('commit', '--allow-empty', '--quiet', '--message=within');
    }
  } catch {
    // It stays as it is.
  }
}

test('L9 a capture that goes on from the one before finds what one finds that begins anew', async () => {
  const starts = fc.uniqueArray(edit, { maxLength: 6, selector: ({ name }) => name });
  const steps = fc.array(fc.array(edit, { minLength: 0, maxLength: 2 }), { minLength: 2, maxLength: 4 });
  await fc.assert(
    fc.asyncProperty(starts, steps, async (start, later) => {
      const project = await repository({ a: 'a', 'd/a': 'a' });
      await project.commit();
      for (const one of start) await perform(project, one);
      const of = { directory: project.root, run: RUN };
      await captureFolder({ ...of, number: 0 }, signal);
      for (const [index, edits] of later.entries()) {
        for (const one of edits) await perform(project, one);
        const base = `refs/loopfold/${RUN}/${index}`;
        const again = await captureFolder({ ...of, number: index + 1 }, signal);
        const files = await project.git('ls-tree', '-r', again?.hash ?? '');
        // Another list of what is left out is another key: it begins anew.
        const anew = await captureFolder({ ...of, number: null, base, leaveOut: [`none-${index}`] }, signal);
        expect(files).toBe(await project.git('ls-tree', '-r', anew?.hash ?? ''));
        expect(again?.changed).toEqual(anew?.changed);
        expect(await project.git('rev-parse', again?.ref ?? '')).toBe(`${again?.hash}\n`);
      }
      await rm(project.root, { recursive: true });
    }),
    { numRuns: RUNS },
  );
});
