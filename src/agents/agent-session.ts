import { z } from 'zod';
import type { Message } from '../actors/model/model.ts';

const Continuity = z.object({ session: z.string() });

/** The session in which an agent of others gave the newest answer. Null: it gave none, or another one did. */
export function sessionIn(messages: readonly Message[], name: string): string | null {
  const newest = messages.findLast(({ role }) => role === 'assistant');
  if (newest?.role !== 'assistant' || newest.model !== name) return null;
  return Continuity.safeParse(newest.continuity).data?.session ?? null;
}
