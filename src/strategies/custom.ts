import { z } from 'zod';
import { json } from '../config/json.ts';

const words = (error: string) => z.string({ error }).refine((text) => text.trim() !== '', { error });

/** Where a strategy of somebody's own is found, and what it is made with. */
export const CustomConfig = z.strictObject({
  modulePath: words('the path of a module, from the workspace or absolute'),
  strategyName: words('the name of what the module exports'),
  config: z.record(z.string(), json('a JSON value'), { error: 'an object' }).prefault({}),
});
export type CustomConfig = z.output<typeof CustomConfig>;
