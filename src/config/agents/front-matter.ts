import { type Document, isMap, isNode, isScalar, LineCounter, parseDocument } from 'yaml';

/** A block of YAML between two lines `---`, and the text it belongs to. Lines count from 1. */
export interface FrontMatter {
  readonly yaml: string;
  /** Of the first line of the YAML. */
  readonly line: number;
  readonly body: string;
  readonly bodyLine: number;
}

/** A named part of a page: from its heading, or the page itself. */
export interface Section extends FrontMatter {
  readonly name: string;
}

/** A section, and its lines: from its heading to before the next one, from 0. */
interface PlacedSection {
  readonly section: Section;
  readonly from: number;
  readonly to: number;
}

const FENCE = /^---\s*$/;

/** The front matter of lines that begin with one; null where they do not. */
export function frontMatter(lines: readonly string[], firstLine = 1): FrontMatter | null {
  if (!FENCE.test(lines[0] ?? '')) return null;
  const closing = lines.findIndex((line, index) => index > 0 && FENCE.test(line));
  // A line of dashes is a rule in Markdown. With a field below it the second line was probably forgotten, which is
  // reported.
  if (closing < 0 && !/^\w+:/.test(lines[1] ?? '')) return null;
  const end = closing < 0 ? lines.length : closing;
  const body = lines
    .slice(end + 1)
    .join('\n')
    .trim();
  return { yaml: lines.slice(1, end).join('\n'), line: firstLine + 1, body, bodyLine: firstLine + end + 1 };
}

/**
 * The parts of a page that are agents: a heading `## Name` with a front matter directly below it, up to the next
 * heading of that rank or higher. Everything else is prose, code blocks included.
 */
export function placedSections(lines: readonly string[]): readonly PlacedSection[] {
  const headings = headingsIn(lines);
  return headings.flatMap(({ index, name }, nth) => {
    const end = headings[nth + 1]?.index ?? lines.length;
    const found = name === null ? null : frontMatter(lines.slice(index + 1, end), index + 2);
    return found && name !== null ? [{ section: { ...found, name }, from: index, to: end }] : [];
  });
}

/** Any line ending, and a byte order mark. */
export const linesOf = (text: string): readonly string[] => text.replace(/^\uFEFF/, '').split(/\r?\n/);

/** Headings of the first two ranks; only those of the second name something. */
function headingsIn(lines: readonly string[]): { index: number; name: string | null }[] {
  let fence: string | null = null;
  return lines.flatMap((line, index) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (mark !== undefined && (fence === null || mark.startsWith(fence))) fence = fence === null ? mark : null;
    if (fence !== null) return [];
    const [, rank, title = ''] = /^(##?)\s+(.*?)(?:\s+#+)?\s*$/.exec(line) ?? [];
    return rank === undefined ? [] : [{ index, name: rank === '##' && title !== '' ? title : null }];
  });
}

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
