import { expect, test } from 'vitest';
import { accessText, withOpened } from '../../src/kernel/access-through-walls.ts';

const WALLS = { network: 'none', writable: ['/kept'] };
const HOST = { path: 'example.org', opens: 'network' } as const;
const FOLDER = { path: '/opened', opens: 'write' } as const;

test.each([
  ['nothing', [], WALLS],
  ['a place to read', [{ path: '/etc' }], WALLS],
  ['a host where there was no network', [HOST], { ...WALLS, network: 'example.org' }],
  ['a folder', [FOLDER], { ...WALLS, writable: ['/kept', '/opened'] }],
])('B1 walls in which a person has opened %s', (_what, opened, expected) => {
  expect(withOpened(WALLS, opened)).toEqual(expected);
});

test('B1 a host that is opened comes to those of the run, and the whole network stays whole', () => {
  expect(withOpened({ ...WALLS, network: 'registries' }, [HOST]).network).toBe('registries,example.org');
  expect(withOpened({ ...WALLS, network: 'all' }, [HOST]).network).toBe('all');
});

test('B1 a permission says what it allows, to file tools and to commands', () => {
  expect([{ path: '/etc' }, HOST, FOLDER].map(accessText)).toEqual([
    'reading /etc',
    'its commands to reach example.org',
    'its commands to write /opened',
  ]);
});
