import { expect, test } from 'vitest';
import { buildCaches } from '../../src/evidence/build-caches.ts';

const home = (path: string) => ({ at: 'home', path }) as const;
const tree = (path: string) => ({ at: 'tree', path }) as const;

test.each([
  ['Go', ['go.mod', 'sum.go'], [home('.cache/go-build')]],
  ['a workspace of Rust', ['Cargo.toml', 'a/Cargo.toml'], [tree('target'), tree('a/target')]],
  ['CMake and make', ['CMakeLists.txt', 'lib/Makefile'], [home('.cache/ccache'), home('.ccache')]],
  ['turbo', ['turbo.json'], [tree('.turbo')]],
  ['none of them', ['package.json', 'src/go.mod.ts'], []],
])('V16 the build caches of %s are known by their files', (_tool, paths, caches) => {
  expect(buildCaches(paths)).toEqual(caches);
});

test('V16 a folder of builds in which the tree has a file is no cache', () => {
  expect(buildCaches(['Cargo.toml', 'target/kept.rs'])).toEqual([]);
});

test('V16 of many packages a bounded number of caches is given', () => {
  expect(buildCaches(Array.from({ length: 500 }, (_, number) => `p${number}/Cargo.toml`))).toHaveLength(12);
});
