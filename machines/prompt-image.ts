import { z } from 'zod';

/** An image that belongs to a prompt. */
export const PromptImage = z.strictObject({
  /** The name of its file, for people. */
  name: z.string(),
  mediaType: z.enum(['image/png', 'image/jpeg', 'image/gif', 'image/webp']),
  bytes: z.int().nonnegative(),
  sha256: z.string(),
  /** Its content in base64. Absent in runs below the one at the top of a tree, which keeps it for all of them. */
  data: z.string().optional(),
});
export type PromptImage = z.infer<typeof PromptImage>;
