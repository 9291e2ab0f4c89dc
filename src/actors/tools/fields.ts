import { z } from 'zod';

/** Text that UTF-8 can hold. */
export const text = z.string().refine((value) => value.isWellFormed(), 'Invalid input: expected well-formed Unicode');

export const path = text.min(1).describe('Path of the file, relative to the workspace');
