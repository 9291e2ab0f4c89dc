import { z } from 'zod';
import { defineTool, text } from './tool.ts';
import { unanswered } from './missing-answer.ts';

const MAX_CHOICES = 10;

export const askUser = defineTool({
  name: 'ask_user',
  description:
    'Asks the user a question and waits for the answer, which may take days. Ask only what you cannot find out in ' +
    'the workspace. choices are suggestions: the answer may be another.',
  input: z.strictObject({ question: text.min(1), choices: z.array(text.min(1)).max(MAX_CHOICES).default([]) }),
  effectClass: 'repeatable',
  asksPerson: true,
  traits: { identity: ['question'], writes: true },
  run: unanswered,
});
