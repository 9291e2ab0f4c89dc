import { attemptFacts, fact, Fault, lifeFacts, type Recorded, Usage } from 'loopfold/machines';
import { z } from 'zod';

const [iterationStarted, , , childSettled] = attemptFacts;

/** All that can happen to a reviewed loop: what happens to every loop, its attempts, and what the reviewer says. */
export const ReviewedEvent = z.discriminatedUnion('type', [
  ...lifeFacts,
  iterationStarted,
  childSettled,
  fact('review.given', { approved: z.boolean(), remark: z.string(), usage: Usage.optional() }),
  fact('review.failed', { fault: Fault, usage: Usage.optional() }),
  fact('review.interrupted', { reason: z.string(), usage: Usage.optional() }),
]);
export type ReviewedEvent = z.infer<typeof ReviewedEvent>;
export type RecordedEvent = Recorded<ReviewedEvent>;
