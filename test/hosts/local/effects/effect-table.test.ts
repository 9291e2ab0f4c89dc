import { expect, test } from 'vitest';
import { effectTable } from '../../../../src/hosts/local/effects/effect-table.ts';
import type { LocalEffect } from '../../../../src/hosts/local/effects/local-effect.ts';
import { localServices } from '../../../../src/hosts/local/services.ts';
import type { EffectSpec } from '../../../../src/kernel/effect-spec.ts';
import { shippedLoops } from '../../../../src/loops/index.ts';

const table: Readonly<Record<string, LocalEffect>> = effectTable(localServices());

test('the table has a handler for every effect of the shipped loops that the definition alone cannot handle', () => {
  const specs = shippedLoops.flatMap(({ effects }): [string, EffectSpec][] => Object.entries(effects));
  const named = specs.filter(([, spec]) => spec.class !== 'child' && !spec.asksPerson && !spec.decide);
  expect(Object.keys(table).toSorted()).toEqual([...new Set(named.map(([name]) => name))].toSorted());
});

test('every handler of the table decides or executes', () => {
  expect(Object.values(table).filter(({ decide, execute }) => !decide && !execute)).toEqual([]);
});
