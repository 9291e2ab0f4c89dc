import { z } from 'zod';

/** What a thread is told when it starts: whose module to load, and what to make with it. */
export interface Source {
  readonly url: string;
  readonly strategyName: string;
  readonly config: unknown;
}

/** What it is asked. `event` is plain data: it crosses to another thread. */
export interface Question {
  readonly id: number;
  readonly about: 'iteration' | 'end';
  readonly event: unknown;
}

/** What the thread reports of the module, once. Messages that the module itself writes to the port are ignored. */
export const Introduction = z.discriminatedUnion('kind', [
  z.strictObject({ kind: z.literal('ready'), name: z.string() }),
  z.strictObject({ kind: z.literal('not_loaded'), message: z.string() }),
  z.strictObject({ kind: z.literal('not_exported'), exports: z.array(z.string()) }),
  z.strictObject({ kind: z.literal('not_made'), message: z.string() }),
  z.strictObject({ kind: z.literal('incomplete'), lacks: z.string(), found: z.string() }),
]);
export type Introduction = z.infer<typeof Introduction>;

/** What it says to a question. */
export const Reply = z.discriminatedUnion('kind', [
  z.strictObject({ id: z.int(), kind: z.literal('answer'), answer: z.unknown() }),
  z.strictObject({ id: z.int(), kind: z.literal('threw'), message: z.string() }),
  z.strictObject({ id: z.int(), kind: z.literal('no_data'), message: z.string() }),
]);
export type Reply = z.infer<typeof Reply>;
