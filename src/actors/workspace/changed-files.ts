import type { ChangedFile } from '../../../machines/events.ts';

const NUL = 0;
const TAB = 9;
const LAST_ASCII = 0x7f;

/** Reads what `git diff-tree --numstat -z --no-renames` prints. In a binary file git counts no lines: null. */
export function changedFiles(numstat: Uint8Array): ChangedFile[] {
  const files: ChangedFile[] = [];
  for (let start = 0; start < numstat.length;) {
    const first = numstat.indexOf(TAB, start);
    const second = numstat.indexOf(TAB, first + 1);
    const end = numstat.indexOf(NUL, second + 1);
    files.push({
      path: pathOf(numstat.subarray(second + 1, end)),
      added: countOf(numstat.subarray(start, first)),
      removed: countOf(numstat.subarray(first + 1, second)),
    });
    start = end + 1;
  }
  return files;
}

function countOf(bytes: Uint8Array): number | null {
  const text = String.fromCharCode(...bytes);
  return text === '-' ? null : Number(text);
}

/** A name that is not UTF-8 is written as git writes it: in quotes, each odd byte as `\ooo`. */
function pathOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return `"${Array.from(bytes, escaped).join('')}"`;
  }
}

const escaped = (byte: number) => (byte > LAST_ASCII ? `\\${byte.toString(8)}` : String.fromCharCode(byte));
