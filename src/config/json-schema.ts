import { z } from 'zod';
import { type Option, OPTION_ROWS } from '../options/option-table.ts';
import { Config } from './config.ts';

/** The JSON Schema of a configuration file: editors complete and check `loopfold.config.json` by it. */
export function configJsonSchema(): z.core.JSONSchema.BaseSchema {
  const schema = z.toJSONSchema(Config, { target: 'draft-7', io: 'input', unrepresentable: 'any' });
  const options = Object.entries(schema.properties ?? {}).map(([option, shape]) => {
    const means = OPTION_ROWS[option as Option].means;
    return [option, typeof shape === 'object' ? { description: means, ...shape } : shape] as const;
  });
  return {
    ...schema,
    title: 'loopfold.config.json',
    properties: { $schema: { type: 'string', description: 'where this schema lies' }, ...Object.fromEntries(options) },
  };
}
