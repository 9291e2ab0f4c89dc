import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root, run } from '../repository/tool.ts';

/** A block of code on a page. */
export interface Example {
  readonly file: string;
  /** Of the opening fence, from 1. */
  readonly line: number;
  readonly language: string;
  readonly code: string;
  /** Its expected output: the `text` block that follows, with only empty lines between. */
  readonly prints: string | null;
}

/** The pages that git tracks, with their text. */
export function pages(): ReadonlyMap<string, string> {
  const { stdout } = run('git', ['-c', 'safe.directory=*', 'ls-files', 'README.md', 'docs/*.md'], root);
  const files = stdout.split('\n').filter((file) => file !== '');
  return new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]));
}

/** Every fenced block of a page. */
export function examplesIn(file: string, text: string): Example[] {
  const fences = [...text.matchAll(/^```(\w*)\n([^]*?)^```$/gm)];
  return fences.map((fence, index) => {
    const [whole, language = '', code = ''] = fence;
    const next = fences[index + 1];
    const between = next ? text.slice(fence.index + whole.length, next.index) : null;
    return {
      file,
      line: text.slice(0, fence.index).split('\n').length,
      language,
      code,
      prints: next?.[1] === 'text' && between?.trim() === '' ? (next[2] ?? '') : null,
    };
  });
}

export const examplesOf = (language: string): Example[] =>
  [...pages()].flatMap(([file, text]) => examplesIn(file, text)).filter((example) => example.language === language);
