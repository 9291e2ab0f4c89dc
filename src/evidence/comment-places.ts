import { literalSyntax, withoutTexts } from './literals.ts';
import { scriptWithoutTexts } from './script-literals.ts';

const SCRIPT = /^[cm]?[jt]sx?$/;
const MAY_HAVE_MARKUP = /^[jt]sx$/;
/** No compiler and no linter takes a comment in them: there is none. */
export const DATA: ReadonlySet<string> = new Set(['json', 'txt', 'rst', 'adoc', 'csv', 'tsv', 'map']);
export const PAGES: ReadonlySet<string> = new Set(['md', 'markdown']);

/** The end of a path, behind its last dot, in small letters. */
export const extensionOf = (path: string): string => /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';

/** Tells whether a file is no code, by its name. */
export const isData = (path: string): boolean => DATA.has(extensionOf(path)) || PAGES.has(extensionOf(path));

interface CommentPlaces {
  /** Its comments and its code, with its texts blanked. */
  readonly places: string;
  /** What tools may take for comments that look at lines. */
  readonly lines: string;
}

/**
 * Finds where a file may have comments. Null: its language is not known here, or what is text in it is not sure.
 *
 * @example
 * commentPlaces('a.py', 'x = "# it"  # it\n')?.places; // 'x = "    "  # it\n'
 */
export function commentPlaces(path: string, text: string): CommentPlaces | null {
  const extension = extensionOf(path);
  if (DATA.has(extension)) return { places: '', lines: '' };
  if (PAGES.has(extension)) {
    const comments = (text.match(/<!--[^]*?(?:-->|$)/g) ?? []).join('\n');
    return { places: comments, lines: comments };
  }
  const syntax = literalSyntax(extension);
  const known = syntax ? withoutTexts(text, syntax) : null;
  const isMarkup = MAY_HAVE_MARKUP.test(extension) && text.includes('<');
  const places = SCRIPT.test(extension) && !isMarkup ? scriptWithoutTexts(text) : known;
  return places === null ? null : { places, lines: text };
}
