/**
 * What tokens and money went into: `answers` of the model; `failures`, which came to nothing or were cut off; `compaction`,
 * to make room in the conversation; `children`, work that was handed over, with all that was done for it; the `summary`.
 */
export const PHASES = ['answers', 'failures', 'compaction', 'children', 'summary'] as const;
export type Phase = (typeof PHASES)[number];
