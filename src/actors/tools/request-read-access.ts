import { z } from 'zod';
import { defineTool, text } from './tool.ts';
import { unanswered } from './missing-answer.ts';

export const requestReadAccess = defineTool({
  name: 'request_read_access',
  description:
    'Asks the user for permission to read a file or folder outside the workspace, and waits for the answer, which ' +
    'may take days. Once it is approved, read, list, glob and grep accept this path.',
  input: z.strictObject({ path: text.min(1).describe('Absolute path'), reason: text.min(1) }),
  effectClass: 'repeatable',
  asksPerson: true,
  traits: { identity: ['path'], writes: true },
  run: unanswered,
});
