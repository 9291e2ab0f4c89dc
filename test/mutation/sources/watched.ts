import { globSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { editsOf } from './edits.ts';
import type { Numbered } from './switched.ts';

export const root = join(import.meta.dirname, '../../..');

/** Folders whose code is edited, each with the tests nearest to it: those are asked. */
export const NEAREST = {
  budget: ['test/budget/*.test.ts', 'test/judging/*.test.ts', 'test/loops/turn/delegation-share.test.ts'],
  runtime: ['test/runtime/*.test.ts'],
  judging: [
    'test/judging/*.test.ts',
    'test/loops/*/judge.test.ts',
    'test/runtime/{strategies,deciding,misbehaviour,told-of-the-end,verified-success,budgets}.test.ts',
  ],
} as const satisfies Readonly<Record<string, readonly string[]>>;
export type Folder = keyof typeof NEAREST;
export const folders = Object.keys(NEAREST) as readonly Folder[];

/** A file with all its edits. */
export interface EditedFile {
  readonly path: string;
  readonly source: string;
  readonly edits: readonly Numbered[];
}

/** The files of a folder, their edits numbered through. */
export function filesOf(folder: Folder): EditedFile[] {
  let number = 0;
  return globSync(`src/${folder}/*.ts`, { cwd: root })
    .toSorted()
    .map((name) => {
      const path = join(root, name);
      const source = readFileSync(path, 'utf8');
      const edits = editsOf(name.replace('src/', ''), source).map((edit) => ({ ...edit, number: number++ }));
      return { path, source, edits };
    });
}

/**
 * What is asked for by the name of a folder, or of one of its files: `runtime`, `runtime/dispatch.ts`. Null: there is
 * none.
 */
export function askedFor(name: string): { readonly folder: Folder; readonly files: EditedFile[] } | null {
  const [folder = '', file] = name.split('/');
  if (!isFolder(folder)) return null;
  const files = filesOf(folder).filter(({ path }) => file === undefined || basename(path) === file);
  return files.length === 0 ? null : { folder, files };
}

export const testsNear = (folder: Folder): string[] =>
  globSync([...NEAREST[folder]], { cwd: root }).map((name) => join(root, name));

const isFolder = (name: string): name is Folder => name in NEAREST;
