/** Where each API has its counts of tokens, at any depth below. */
const PLACES: ReadonlySet<string> = new Set(['usage', 'usageMetadata']);
/** The objects in which such a place may lie. */
const AROUND: ReadonlySet<string> = new Set(['response', 'message']);
const NUMBER = /^\d+(\.\d+)?$/;

/** Whether a text of JSON may have a count that is a text. */
export const mayHaveCountsAsText = (json: string): boolean => /"[a-zA-Z_]*[tT]okens?[a-zA-Z_]*"\s*:\s*"/.test(json);

/** A piece of an answer whose counts of tokens are numbers, also where its server sends them as text. */
export function withCounts(piece: unknown): unknown {
  if (!isObject(piece)) return piece;
  return mapped(piece, (value, name) => {
    if (PLACES.has(name)) return counts(value);
    return AROUND.has(name) ? withCounts(value) : value;
  });
}

function counts(value: unknown): unknown {
  if (typeof value === 'string') return NUMBER.test(value) ? Number(value) : value;
  return isObject(value) ? mapped(value, counts) : value;
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const mapped = (object: Record<string, unknown>, change: (value: unknown, name: string) => unknown) =>
  Object.fromEntries(Object.entries(object).map(([name, value]) => [name, change(value, name)]));
