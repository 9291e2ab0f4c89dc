import { z } from 'zod';

/** Text that UTF-8 can hold. */
export const text = z.string().refine((value) => value.isWellFormed(), 'Invalid input: expected well-formed Unicode');

export const path = text.min(1).describe('Path of the file, relative to the workspace');

export const folder = path.default('.').describe('Path of the directory, relative to the workspace');

export const includeIgnored = z.boolean().default(false).describe('Also what .gitignore leaves out');

/** An exact replacement in a file. */
export const replacement = {
  oldText: text.describe('The text to replace, exactly as it is in the file'),
  newText: text.describe('What stands there afterwards'),
  replaceAll: z.boolean().default(false),
};
