import { z } from 'zod';
import { json } from '../text/json-value.ts';

const nonEmpty = (error: string) => z.string({ error }).refine((text) => text.trim() !== '', { error });

/** Where the module of a user's strategy is, and the config that the strategy is made with. */
export const CustomConfig = z.strictObject({
  modulePath: nonEmpty('the path of a module, from the workspace or absolute').describe(
    'the module: a path from the workspace, or an absolute one',
  ),
  strategyName: nonEmpty('the name of what the module exports').describe(
    'the export: a class, a function that returns a strategy, or a strategy object',
  ),
  config: z
    .record(z.string(), json('a JSON value'), { error: 'an object' })
    .prefault({})
    .describe('the config that the export is called with'),
});
export type CustomConfig = z.output<typeof CustomConfig>;

/** The name of the strategy that a user's module decides for. */
export const CUSTOM = 'custom';
export const CUSTOM_SHORTHAND = 'custom:PATH#NAME';
const PREFIX = 'custom:';
const SHORTHAND = /^custom:(?<modulePath>.*\S.*)#(?<strategyName>[^#]*[^#\s][^#]*)$/s;

/** Whether a text that begins like the shorthand has both of its parts. Every other text is a name. */
export const isStrategyText = (text: string): boolean => !text.startsWith(PREFIX) || SHORTHAND.test(text);

/** The strategy of a text: `custom:PATH#NAME` is a module and its export, where the last `#` counts; else a name. */
export function strategyNamed(text: string): {
  name: string;
  config: { maxIterations?: never; modulePath?: string; strategyName?: string };
} {
  const { modulePath, strategyName } = SHORTHAND.exec(text)?.groups ?? {};
  if (modulePath === undefined || strategyName === undefined) return { name: text, config: {} };
  return { name: CUSTOM, config: { modulePath: modulePath.trim(), strategyName: strategyName.trim() } };
}
