import { head } from './excerpt.ts';
import { plain } from './plain.ts';

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\' };
// oxlint-disable-next-line no-control-regex -- Names of files may have any character but / and NUL.
const UNPRINTABLE = /[\u0001-\u001f\u007f]/;

/** The name of a file on one line, as git prints it: in quotes and with escapes where it has control characters. */
export function pathText(path: string, maxChars: number): string {
  if (!UNPRINTABLE.test(path)) return head(plain(path), maxChars);
  // oxlint-disable-next-line no-control-regex -- As above.
  const escaped = path.replace(/[\u0001-\u001f\u007f"\\]/g, (one) => ESCAPES[one] ?? octal(one));
  return head(`"${plain(escaped)}"`, maxChars);
}

const octal = (character: string): string => `\\${character.charCodeAt(0).toString(8).padStart(3, '0')}`;
