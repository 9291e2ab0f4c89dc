import ts from 'typescript';
import { offendingWords } from './puzzling-words.ts';

export interface PuzzlingWord {
  readonly file: string;
  readonly line: number;
  readonly word: string;
  /** What to write in its place. */
  readonly instead: string;
}

/** The list of the words itself, and recordings with their names, which are never edited. */
const EXEMPT =
  /^test\/(histories\/|corpus\/(stories\/|.*[.]jsonl$)|repository\/(puzzling-words|language[.]))|^package-lock[.]json$/;

/** Every puzzling word in the comments and the texts of a source file, or in the prose of a page. */
export function puzzlingWordsIn(file: string, text: string): PuzzlingWord[] {
  if (EXEMPT.test(file)) return [];
  if (/[.](ts|mjs)$/.test(file) && !mayHaveAny(text)) return [];
  if (/[.](ts|mjs)$/.test(file)) return passagesOf(file, text).flatMap((passage) => wordsIn(file, passage));
  if (/[.]md$/.test(file)) return wordsIn(file, proseOf(text));
  return [];
}

/** Whether one is anywhere in a file, in code or not. Few files have to be parsed to know where. */
function mayHaveAny(text: string): boolean {
  const flat = unwrapped(text).replace(/\\[nrt]/g, ' ');
  return offendingWords.some(({ pattern }) => flat.search(pattern) >= 0);
}

interface Passage {
  readonly line: number;
  readonly text: string;
}

function wordsIn(file: string, { line, text }: Passage): PuzzlingWord[] {
  return offendingWords.flatMap(({ pattern, instead }) =>
    [...text.matchAll(pattern)].map(({ 0: word, index }) => ({
      file,
      line: line + text.slice(0, index).split('\n').length - 1,
      word: word.replace(/\s+/g, ' '),
      instead,
    })),
  );
}

/** Comments, and strings of more than one word: a single one may be a recorded name. */
function passagesOf(file: string, text: string): Passage[] {
  const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
  const lineOf = (position: number): number => source.getLineAndCharacterOfPosition(position).line + 1;
  const strings: Passage[] = [];
  const comments = new Map<number, Passage>();
  const visit = (node: ts.Node): void => {
    const ranges = [
      ...(ts.getLeadingCommentRanges(text, node.getFullStart()) ?? []),
      ...(ts.getTrailingCommentRanges(text, node.getEnd()) ?? []),
    ];
    for (const { pos, end } of ranges) {
      comments.set(pos, { line: lineOf(pos), text: unwrapped(text.slice(pos, end)) });
    }
    if ((ts.isStringLiteralLike(node) || ts.isTemplateLiteralToken(node)) && /\w\s+\w/.test(node.text)) {
      strings.push({ line: lineOf(node.getStart(source)), text: node.text });
    }
    ts.forEachChild(node, visit);
  };
  visit(source);
  return [...comments.values(), ...strings];
}

/** A phrase may go on in the next line of a comment. */
const unwrapped = (comment: string): string => comment.replace(/\n\s*(\*|\/\/) ?/g, '\n');

/** A page without its code. */
function proseOf(text: string): Passage {
  const blank = (code: string): string => code.replace(/[^\n]/g, '');
  return { line: 1, text: text.replace(/^ *```[\s\S]*?^ *```/gm, blank).replace(/`[^`\n]*`/g, blank) };
}
