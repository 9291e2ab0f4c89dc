import { createHash } from 'node:crypto';

/** Objects that one spin copies, writes as text, reads again and hashes. */
const OBJECTS = 100;

/**
 * A fixed piece of work of the kinds a step is made of: copies of objects, JSON, a lookup, a hash. CPU time divided by
 * its own is a figure that can be compared between machines.
 */
export function spin(): number {
  const seen = new Map<string, number>();
  let context: Readonly<Record<string, unknown>> = { step: 0, spend: { tokens: 0, calls: 0 }, last: null };
  for (let n = 0; n < OBJECTS; n += 1) {
    context = { ...context, step: n, spend: { tokens: n * 3, calls: n }, last: `result ${n} of ${OBJECTS}` };
    const text = JSON.stringify({ type: 'tool.completed', version: n, payload: context });
    const digest = createHash('sha256').update(text).digest('hex');
    const { version } = JSON.parse(text) as { readonly version: number };
    seen.set(digest, version);
  }
  return seen.size;
}
