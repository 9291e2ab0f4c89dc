import { z } from 'zod';
import { defineTool } from './define-tool.ts';
import { text } from './fields.ts';

export const finish = defineTool({
  name: 'finish',
  description: 'Declares the work finished. Call it once, when everything is done, with the answer for whoever asked.',
  input: z.strictObject({ answer: text.min(1).describe('What was asked for, or what was done') }),
  effectClass: 'repeatable',
  run: async ({ answer }) => ({ output: 'finished', answer }),
});
