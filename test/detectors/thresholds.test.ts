import { describe, expect, test } from 'vitest';
import { detectorsOf } from '../../src/detectors/profile.ts';
import { noTraits } from '../../src/detectors/traits.ts';

const faultsOf = (name: string, config: { readonly [field: string]: number }) => {
  const chosen = detectorsOf([{ name, config }], noTraits);
  return chosen.kind === 'refused'
    ? chosen.faults.map(({ field, value }) => [field.replace('detectors[0].config.', ''), value])
    : [];
};

describe('numbers that make no sense are refused with their field', () => {
  test.each([
    ['D1a', 'repeated-observation', { threshold: 11 }, [['threshold', 11]]],
    ['D1a', 'repeated-observation', { window: 6 }, [['threshold', undefined]]],
    [
      'D1a',
      'repeated-observation',
      { window: 1.5, threshold: 0 },
      [
        ['window', 1.5],
        ['threshold', 0],
      ],
    ],
    ['D1b', 'repeated-error', { nudge: 4 }, [['stop', undefined]]],
    ['D1b', 'repeated-error', { nudge: 5, stop: 5 }, [['stop', 5]]],
    ['D1b', 'repeated-error', { stop: 1 }, [['stop', 1]]],
    ['D1c', 'monologue', { threshold: 1 }, [['threshold', 1]]],
    ['D1d', 'alternating', { calls: 3 }, [['calls', 3]]],
    ['D2a', 'cycles', { maxPeriod: 21 }, [['maxPeriod', 21]]],
    ['D2a', 'cycles', { nudge: 5 }, [['stop', undefined]]],
    ['D2a', 'cycles', { nudgeIdentical: 7, stopIdentical: 6 }, [['stopIdentical', 6]]],
    ['D2a', 'cycles', { stop: 1_000 }, [['stop', 1_000]]],
    ['D2b', 'chant', { times: 40 }, [['history', undefined]]],
    ['D2b', 'chant', { length: 5 }, [['length', 5]]],
    ['D2c', 'same-tool', { nudge: 1 }, [['nudge', 1]]],
    ['D3', 'same-message', { threshold: 0 }, [['threshold', 0]]],
    ['D4', 'ladder-identical', { allowed: -1 }, [['allowed', -1]]],
    ['D5', 'soft-hard', { nudge: 6 }, [['stop', undefined]]],
    ['D7', 'streak-ladder', { observe: 3, block: 3 }, [['block', 3]]],
    ['D7', 'streak-ladder', { observe: 0, block: 0, nudge: 7 }, [['stop', undefined]]],
  ])('%s %s %o', (_row, name, config, fields) => expect(faultsOf(name, config)).toEqual(fields));

  test.each([
    ['repeated-error', { nudge: 0 }],
    ['repeated-error', { stop: 0 }],
    ['cycles', { stop: 0, nudge: 9 }],
    ['ladder-identical', { allowed: 0 }],
    ['streak-ladder', { observe: 0, block: 0, stop: 2 }],
    ['repeated-observation', { threshold: 10 }],
    ['chant', { times: 20 }],
  ])('%s takes %o', (name, config) => expect(faultsOf(name, config)).toEqual([]));
});
