import { z } from 'zod';

/** What an option that is on or off is expected to be. */
export const BOOLEAN = 'true or false';

/** A text that says something. `expected` ends the sentence "expected …". */
export const said = (expected: string) =>
  z.string({ error: expected }).refine((text) => text.trim() !== '' && text.isWellFormed(), { error: expected });
