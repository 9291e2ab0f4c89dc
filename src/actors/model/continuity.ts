import { z } from 'zod';
import type { Json } from '../../log/envelope.ts';

const Metadata = z.record(z.string(), z.record(z.string(), z.json())).optional();

/** One part of an answer as its provider made it, in its order: text by its length, a call by its index. */
export const ContinuityPart = z.discriminatedUnion('part', [
  z.strictObject({ part: z.literal('reasoning'), text: z.string(), metadata: Metadata }),
  z.strictObject({ part: z.literal('text'), characters: z.int().nonnegative(), metadata: Metadata }),
  z.strictObject({ part: z.literal('call'), index: z.int().nonnegative(), metadata: Metadata }),
]);
export type ContinuityPart = z.infer<typeof ContinuityPart>;

/** What is worth keeping of an answer's parts: nothing where text and calls say it all. */
export function continuityOf(parts: readonly ContinuityPart[]): Json | null {
  if (!parts.some(({ part, metadata }) => part === 'reasoning' || metadata !== undefined)) return null;
  const kept = z.array(ContinuityPart).safeParse(JSON.parse(JSON.stringify(parts)));
  return kept.success ? (kept.data as Json) : null;
}

/** The parts that were kept with an answer. */
export const partsOf = (continuity: Json | undefined): readonly ContinuityPart[] =>
  z.array(ContinuityPart).safeParse(continuity).data ?? [];

/** The parts that were kept with an answer. Null: none, or none that fit it. */
export function partsIn(continuity: Json | undefined, text: string, calls: number): readonly ContinuityPart[] | null {
  const parts = partsOf(continuity);
  const characters = parts.reduce((sum, one) => sum + (one.part === 'text' ? one.characters : 0), 0);
  const named = parts.flatMap((one) => (one.part === 'call' ? [one.index] : []));
  const fits = characters === text.length && named.length === calls && named.every((index, at) => index === at);
  return fits && parts.length > 0 ? parts : null;
}
