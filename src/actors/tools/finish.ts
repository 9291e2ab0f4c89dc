import { z } from 'zod';
import { defineTool, text } from './tool.ts';

export const finish = defineTool({
  name: 'finish',
  description: 'Declares the task finished. Call it once, when everything is done, with the answer for the user.',
  input: z.strictObject({ answer: text.min(1).describe('The answer to the task, or a summary of what was done') }),
  effectClass: 'repeatable',
  run: async ({ answer }) => ({ output: 'finished', answer }),
});
