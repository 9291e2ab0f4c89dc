/** Lines of base64 as `base64`, `openssl` and mail write them: 60 to 76 letters each, and a last one of any length. */
const BLOCK = /^[ \t]*(?:[A-Za-z0-9+/]{60,76}\r?\n[ \t]*)+[A-Za-z0-9+/]{2,76}={0,2}/gm;
const SHORTEST_BLOCK = 62;
const BREAK = /\s+/g;

/** Changes blocks of base64 as if each were one line. A block in which nothing is changed keeps its lines. */
export function unwrapped(text: string, change: (line: string) => string): string {
  if (text.length < SHORTEST_BLOCK) return text;
  return text.replace(BLOCK, (block) => {
    const line = block.replaceAll(BREAK, '');
    const changed = change(line);
    return changed === line ? block : changed;
  });
}
