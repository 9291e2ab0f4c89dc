import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { bringChange, type Brought } from '../../src/git/bring/bring-change.ts';
import { captureFolder } from '../../src/git/capture/capture-folder.ts';
import { fc } from '../support/fast-check.ts';
import { testInTurn } from '../support/in-turn.ts';
import { tenthOfMany } from '../support/tenth.ts';
import { RUN } from './captured.ts';
import { git, repository } from './repository.ts';

type Files = Readonly<Record<string, string>>;

const { signal } = new AbortController();
/** Each case starts many processes of git. */
const RUNS = tenthOfMany(40);
const NAMES = ['a', 'b', 'd', 'd/a', 'd/b', 'd/e', 'd/e/f', 'a/g'];
const LINES = ['one', 'two', 'three', 'four', 'five', 'six', 'seven'];

/** Most of the lines, some in other words. */
const content = fc
  .array(fc.constantFrom('same', 'same', 'same', 'other', 'gone'), { minLength: LINES.length, maxLength: LINES.length })
  .map((fates) =>
    LINES.flatMap((line, at) => (fates[at] === 'gone' ? [] : [fates[at] === 'other' ? `${line}!` : line])).join('\n'),
  );
/** No file has the name of a folder. */
const files: fc.Arbitrary<Files> = fc
  .dictionary(fc.constantFrom(...NAMES), content)
  .map((all) =>
    Object.fromEntries(Object.entries(all).filter(([name]) => !NAMES.some((one) => one in all && isIn(one, name)))),
  );
const isIn = (folder: string, name: string) => name.startsWith(`${folder}/`);
/** What a person does to some of the files: a line at the beginning or the end, or another content. */
const edits = fc.dictionary(fc.constantFrom(...NAMES), fc.constantFrom('first', 'last', 'all'));

async function onDisk(root: string): Promise<Files> {
  const found: Record<string, string> = {};
  for (const entry of await readdir(root, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    const name = path.slice(root.length + 1);
    if (entry.isFile() && !name.startsWith('.git/')) found[name] = await readFile(path, 'utf8');
  }
  return found;
}

async function become(root: string, wanted: Files): Promise<void> {
  for (const entry of await readdir(root)) if (entry !== '.git') await rm(join(root, entry), { recursive: true });
  for (const [name, text] of Object.entries(wanted)) {
    await mkdir(dirname(join(root, name)), { recursive: true });
    await writeFile(join(root, name), text);
  }
}

const edited = (all: Files, how: Readonly<Record<string, string>>): Files =>
  Object.fromEntries(
    Object.entries(all).map(([name, text]) => {
      if (how[name] === 'first') return [name, `by a person: ${name}\n${text}`];
      if (how[name] === 'last') return [name, `${text}\nby a person: ${name}`];
      return [name, how[name] === 'all' ? `by a person: ${name}` : text];
    }),
  );

async function treeOf(root: string): Promise<string> {
  return (await captureFolder({ directory: root, run: RUN, number: null, listsChanges: false }, signal))?.hash ?? '';
}

async function between(root: string, start: Files, end: Files) {
  await become(root, start);
  const from = await treeOf(root);
  await become(root, end);
  const to = await treeOf(root);
  const common = { run: RUN, directory: root, leaveOut: [], store: null, at: '2026-11-23T00:00:00.000Z' };
  const done = async (brought: Promise<Brought | null>) => (await brought) as Brought;
  await git(root, 'update-ref', '-d', `refs/loopfold/${RUN}/brought`);
  return {
    undo: () => done(bringChange({ ...common, verb: 'undo', from: to, to: from, isWhole: false }, signal)),
    apply: () => done(bringChange({ ...common, verb: 'apply', from, to, isWhole: true }, signal)),
  };
}

describe('G10 laws of undo and apply, over random trees and random edits of a person', () => {
  testInTurn(
    'G10 on files that only the run has changed, undo leads to the start, and apply to the end again',
    async () => {
      const { root } = await repository();
      await fc.assert(
        fc.asyncProperty(files, files, async (start, end) => {
          const { undo, apply } = await between(root, start, end);
          expect((await undo()).kept).toEqual([]);
          expect(await onDisk(root)).toEqual(start);
          expect((await apply()).kept).toEqual([]);
          expect(await onDisk(root)).toEqual(end);
        }),
        { numRuns: RUNS },
      );
    },
  );

  testInTurn('G10 undo loses no byte of a person, and takes every other back', async () => {
    const { root } = await repository();
    await fc.assert(
      fc.asyncProperty(files, files, edits, async (start, end, how) => {
        const { undo } = await between(root, start, end);
        const before = edited(end, how);
        await become(root, before);
        const { kept, before: tree, isWritten } = await undo();
        const after = await onDisk(root);
        const left = new Set(kept.map(({ path }) => path));
        for (const name of NAMES) {
          const isOfPerson = before[name] !== end[name];
          if (left.has(name)) expect(after[name]).toBe(before[name]);
          else if (!isOfPerson) expect(after[name]).toBe(start[name]);
          else if (start[name] === end[name]) expect(after[name]).toBe(before[name]);
          else expect(after[name]).toContain(`by a person: ${name}`);
        }
        // What was replaced is in git.
        if (isWritten) expect(await git(root, 'rev-parse', `refs/loopfold/${RUN}/brought^^{tree}`)).toBe(`${tree}\n`);
        // A second time changes nothing more.
        expect((await undo()).isWritten).toBe(false);
        expect(await onDisk(root)).toEqual(after);
      }),
      { numRuns: RUNS },
    );
  });

  test('G10 apply brings all of the change and keeps what a person did, or leaves every byte as it is', async () => {
    const { root } = await repository();
    await fc.assert(
      fc.asyncProperty(files, files, edits, async (start, end, how) => {
        const { apply } = await between(root, start, end);
        const before = edited(start, how);
        await become(root, before);
        const { kept } = await apply();
        const after = await onDisk(root);
        const isBrought = kept.length === 0;
        if (!isBrought) expect(after).toEqual(before);
        for (const name of isBrought ? NAMES : []) {
          const isOfPerson = before[name] !== start[name];
          if (!isOfPerson) expect(after[name]).toBe(end[name]);
          else expect(after[name]).toContain(`by a person: ${name}`);
        }
      }),
      { numRuns: RUNS },
    );
  });
});
