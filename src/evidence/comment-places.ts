import { literalSyntax, withoutTexts } from './literals.ts';
import { scriptWithoutTexts } from './script-literals.ts';

const SCRIPT = /^[cm]?[jt]sx?$/;
/** No compiler and no linter takes a comment in them: there is none. */
const DATA = new Set(['json', 'txt', 'rst', 'adoc', 'csv', 'tsv', 'map']);
const PAGES = new Set(['md', 'markdown']);

interface CommentPlaces {
  /** Its comments and its code, with its texts blanked. */
  readonly places: string;
  /** What tools may take for comments that look at lines. */
  readonly lines: string;
}

/**
 * Where a file may have comments. Null: its language is not known here, or what is text in it is not sure.
 *
 * @example
 * commentPlaces('a.py', 'x = "# it"  # it\n')?.places; // 'x = "    "  # it\n'
 */
export function commentPlaces(path: string, text: string): CommentPlaces | null {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (DATA.has(extension)) return { places: '', lines: '' };
  if (PAGES.has(extension)) {
    const comments = (text.match(/<!--[^]*?(?:-->|$)/g) ?? []).join('\n');
    return { places: comments, lines: comments };
  }
  const syntax = literalSyntax(extension);
  const known = syntax ? withoutTexts(text, syntax) : null;
  const places = SCRIPT.test(extension) ? scriptWithoutTexts(text) : known;
  return places === null ? null : { places, lines: text };
}
