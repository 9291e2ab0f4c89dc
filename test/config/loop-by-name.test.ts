import { expect, test } from 'vitest';
import { z } from 'zod';
import { type KnownLoop, SHIPPED } from '../../src/config/loop-by-name.ts';
import { shippedLoops } from '../../src/loops/index.ts';

/** The shape of a loop's own options. `witnesses` is the program's own mark of a new run, which no user sets. */
function shapeOf(options: z.ZodType | undefined) {
  if (!options) return undefined;
  const { properties = {}, ...shape } = z.toJSONSchema(options, { io: 'input', unrepresentable: 'any' });
  const { witnesses, ...set } = properties;
  return { ...shape, properties: set };
}

/** As far as options go. */
const forOptions = ({ id, settings, strategyInput: hears }: KnownLoop) => ({
  id,
  bounds: settings?.bounds,
  ofChildren: settings?.ofChildren,
  options: shapeOf(settings?.options),
  hears: hears !== undefined,
});

test('options know of the shipped loops what their definitions say', () => {
  expect(SHIPPED.map(forOptions)).toEqual(shippedLoops.map(forOptions));
});
