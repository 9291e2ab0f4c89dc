/**
 * The phases that tokens and money are spent in: `answers` of the model; `failures`, tries without an answer or cut
 * off; `compaction` of the conversation; `children`, delegated work with everything below it; the `summary`.
 */
export const PHASES = ['answers', 'failures', 'compaction', 'children', 'summary'] as const;
export type Phase = (typeof PHASES)[number];
