import { z } from '@hono/zod-openapi';
import { isLoopPath } from '../config/loop-path.ts';
import { EXPECTED_STRATEGY, isOwnStrategy } from './change-request.ts';
import { MAX_PROMPT_CHARACTERS, type RunOptions } from '../config/options.ts';

/**
 * Options of a run that a request may set. Not among them is what chooses files of the server, or where it reaches
 * to: the folder, the environment, held-out files, walls, webhooks.
 */
const STARTABLE = [
  'loop',
  'labels',
  'options',
  'model',
  'effort',
  'strategy',
  'detectors',
  'checks',
  'maxIterations',
  'maxSteps',
  'maxToolCalls',
  'maxTokens',
  'maxTime',
  'maxCost',
  'continues',
  'isolate',
  'requireRed',
] as const satisfies readonly (keyof RunOptions)[];

/** A new run. The options that are not given are those of the server's configuration, as for `loopfold run`. */
export const StartRequest = z
  .strictObject({
    prompt: z.string().min(1).max(MAX_PROMPT_CHARACTERS),
    options: z.record(z.string(), z.unknown()).default({}),
  })
  .superRefine(({ options }, context) => {
    for (const [name, value] of Object.entries(options)) {
      const refuse = (message: string) => context.addIssue({ code: 'custom', path: ['options', name], message });
      if (!STARTABLE.some((one) => one === name)) refuse(`expected one of ${STARTABLE.join(', ')}`);
      else if (name === 'loop' && typeof value === 'string' && isLoopPath(value))
        refuse('expected the name of a loop: a module is named in the configuration');
      else if (name === 'model' && typeof value === 'string' && value.startsWith('script:'))
        refuse('expected a model: a script is named in the configuration');
      else if (name === 'strategy' && isOwnStrategy(value)) refuse(EXPECTED_STRATEGY);
    }
  });
export type StartRequest = z.infer<typeof StartRequest>;

/** The options of a run, by a request over the configuration of the server. They are checked when it starts. */
export const optionsOf = ({ prompt, options }: StartRequest, defaults: Partial<RunOptions>): RunOptions =>
  ({ ...defaults, ...options, prompt }) as RunOptions;
