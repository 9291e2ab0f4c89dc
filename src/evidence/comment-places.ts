import { literalSyntax, withoutTexts } from './literals.ts';
import { scriptWithoutTexts } from './script-literals.ts';

const SCRIPT = /^[cm]?[jt]sx?$/;
/** No compiler and no linter takes a comment in them: there is none. */
const DATA = new Set(['json', 'txt', 'rst', 'adoc', 'csv', 'tsv', 'map']);
const PAGES = new Set(['md', 'markdown']);

/**
 * What a file has outside of its texts: its comments and its code. Null: its language is not known here, or what is
 * text in it is not sure.
 *
 * @example
 * commentPlaces('a.py', 'x = "# noqa"  # noqa\n'); // 'x = "      "  # noqa\n'
 */
export function commentPlaces(path: string, text: string): string | null {
  const extension = /\.(\w+)$/.exec(path)?.[1]?.toLowerCase() ?? '';
  if (DATA.has(extension)) return '';
  if (PAGES.has(extension)) return (text.match(/<!--[^]*?(?:-->|$)/g) ?? []).join('\n');
  if (SCRIPT.test(extension)) return scriptWithoutTexts(text);
  const syntax = literalSyntax(extension);
  return syntax ? withoutTexts(text, syntax) : null;
}
