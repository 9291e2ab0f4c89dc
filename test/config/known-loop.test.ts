import { expect, test } from 'vitest';
import { type KnownLoop, SHIPPED } from '../../src/config/known-loop.ts';
import { shippedLoops } from '../../src/loops/index.ts';

/** As far as options go. */
const forOptions = ({ id, settings, strategyInput: hears }: KnownLoop) => ({
  id,
  bounds: settings?.bounds,
  ofChildren: settings?.ofChildren,
  options: settings?.options,
  hears: hears !== undefined,
});

test('options know of the shipped loops what their definitions say', () => {
  expect(SHIPPED.map(forOptions)).toEqual(shippedLoops.map(forOptions));
});
