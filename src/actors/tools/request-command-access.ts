import { z } from 'zod';
import { text, defineTool } from './tool.ts';
import { unanswered } from './missing-answer.ts';

/** Offered only where walls stand around the commands of a run. */
export const requestCommandAccess = defineTool({
  name: 'request_command_access',
  description:
    'Asks the user to let your commands through the walls around them, and waits for the answer, which may take days. ' +
    'Ask only for what a command was refused and the task needs. Afterwards run that command again: processes that ' +
    'your commands left running have ended.',
  input: z.strictObject({
    opens: z.enum(['network', 'write']),
    place: text
      .min(1)
      .describe('For network: HOST, HOST:PORT, or loopback:PORT of this machine. For write: an absolute path'),
    reason: text.min(1),
  }),
  effectClass: 'repeatable',
  asksPerson: true,
  onlyByName: true,
  traits: { identity: ['opens', 'place'], writes: true },
  run: unanswered,
});
