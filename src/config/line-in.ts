/** The line, from 1, on which a value of a JSON text begins; null where the text has no such value. */
export async function lineIn(json: string, path: readonly PropertyKey[]): Promise<number | null> {
  // JSON is YAML, and the YAML parser knows positions. It runs only for a message to the user.
  const { LineCounter, parseDocument, isNode } = await import('yaml');
  const counter = new LineCounter();
  const document = parseDocument(json, { lineCounter: counter });
  const keys = path.map((key) => (/^\d+$/.test(String(key)) ? Number(key) : String(key)));
  for (let length = keys.length; length > 0; length -= 1) {
    const node = document.getIn(keys.slice(0, length), true);
    if (isNode(node) && node.range) return counter.linePos(node.range[0]).line;
  }
  return null;
}
