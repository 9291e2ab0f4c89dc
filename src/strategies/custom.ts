import { z } from 'zod';
import { json } from '../config/json.ts';

const words = (error: string) => z.string({ error }).refine((text) => text.trim() !== '', { error });

/** Where a strategy of somebody's own is found, and what it is made with. */
export const CustomConfig = z.strictObject({
  modulePath: words('the path of a module, from the workspace or absolute').describe('the module: a path from the workspace, or an absolute one'),
  strategyName: words('the name of what the module exports').describe('what it exports: a class, a function that makes a strategy, or one ready made'),
  config: z.record(z.string(), json('a JSON value'), { error: 'an object' }).prefault({}).describe('what that is made with'),
});
export type CustomConfig = z.output<typeof CustomConfig>;
