import { expect, test } from 'vitest';
import { keysOf } from '../../src/evidence/key-grounds.ts';

test('V2 of package.json, what decides how checks run is a ground, and its entries are named', () => {
  const text = '{"name": "x", "type": "module", "scripts": {}, "exports": {}, "dependencies": {}, "jest": {}}';
  expect(keysOf('a/package.json', `\uFEFF${text}`)).toEqual({
    kind: 'keys',
    restored: ['name', 'scripts', 'jest'],
    named: ['type', 'exports'],
    free: ['dependencies'],
  });
});

test('V2 of pyproject.toml, the tables of tools are grounds', () => {
  const text = '[project]\nname = "x"\n[tool.pytest.ini_options]\naddopts = "-q"\n[tool.ruff]\n[build-system]\n';
  expect(keysOf('pyproject.toml', text)).toEqual({
    kind: 'keys',
    restored: ['tool.pytest', 'tool.ruff'],
    named: [],
    free: ['project', 'build-system'],
  });
});

test('V2 of go.mod, replaced modules are a ground', () => {
  const text = 'module x\n\ngo 1.22\n\nrequire (\n\ta v1\n)\n\nreplace a => ./a\nreplace (\n\tb => ./b\n)\n';
  expect(keysOf('go.mod', text)).toMatchObject({ restored: ['replace'], free: ['module', 'go', 'require'] });
});

test('V2 of Cargo.toml, what lints, replaced crates and the script of the build are told by are grounds', () => {
  const text = '[package]\nname = "x"\nbuild = "b.rs"\n[lints.rust]\nunused = "allow"\n[workspace]\nmembers = []\n';
  expect(keysOf('Cargo.toml', text)).toMatchObject({
    restored: ['lints', 'package.build'],
    free: ['package', 'workspace'],
  });
});

test.each([
  ['Cargo.toml', '[package\n'],
  ['package.json', '{"scripts": '],
  ['package.json', '[]'],
  ['package.json', 'null'],
  ['pyproject.toml', '[tool\n'],
  ['package.json', null],
])('V2 all of %s is a ground where it is %j', (path, text) =>
  expect(keysOf(path, text)).toMatchObject({ kind: 'whole' }),
);
