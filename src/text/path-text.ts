import { head } from './excerpt.ts';
import { plain } from './one-line.ts';

const ESCAPES: Readonly<Record<string, string>> = { '\n': '\\n', '\t': '\\t', '\r': '\\r', '"': '\\"', '\\': '\\\\' };
// oxlint-disable-next-line no-control-regex -- Names of files may have any character but / and NUL.
const UNPRINTABLE = /[\u0001-\u001f\u007f-\u009f\u2028\u2029]/;

/** The name of a file on one line, as git prints it: quoted and escaped where it has characters that move the line. */
export function pathText(whole: string, maxChars: number): string {
  const path = whole.slice(0, maxChars + 1);
  if (!UNPRINTABLE.test(path)) return head(plain(path), maxChars);
  // oxlint-disable-next-line no-control-regex -- As above.
  const escaped = path.replace(/[\u0001-\u001f\u007f-\u009f\u2028\u2029"\\]/g, (one) => ESCAPES[one] ?? octal(one));
  return head(`"${plain(escaped)}"`, maxChars);
}

const octal = (character: string): string =>
  [...new TextEncoder().encode(character)].map((byte) => `\\${byte.toString(8).padStart(3, '0')}`).join('');
