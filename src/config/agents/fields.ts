import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';
import type { FrontMatter } from './front-matter.ts';

/** What stands in a front matter, and on which line of its file. */
export type Fields = ReadonlyMap<string, { readonly value: unknown; readonly line: number }>;

export type ReadFields =
  | { readonly kind: 'fields'; readonly fields: Fields }
  | { readonly kind: 'broken'; readonly line: number; readonly why: string };

/** The fields of a front matter; none where it is not a mapping. */
export function readFields({ yaml, line: firstLine }: FrontMatter): ReadFields {
  const counter = new LineCounter();
  const document = parseDocument(yaml, { lineCounter: counter, prettyErrors: false });
  const lineAt = (offset: number) => firstLine + counter.linePos(offset).line - 1;
  const [error] = document.errors;
  if (error) return { kind: 'broken', line: lineAt(error.pos[0]), why: error.message };
  try {
    return { kind: 'fields', fields: fieldsIn(document, lineAt) };
  } catch (cause) {
    // References that never end, or that expand without bound.
    return { kind: 'broken', line: firstLine, why: String(cause) };
  }
}

function fieldsIn(document: Document, lineAt: (offset: number) => number): Fields {
  const { contents } = document;
  if (!isMap(contents)) return new Map();
  return new Map(
    contents.items.flatMap(({ key, value }) => {
      if (!isScalar(key)) return [];
      const plain: unknown = isNode(value) ? value.toJS(document) : value;
      return [[String(key.value), { value: plain, line: lineAt(key.range?.[0] ?? 0) }] as const];
    }),
  );
}
