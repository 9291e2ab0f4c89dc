import { parse } from 'smol-toml';
import { describe, expect, test } from 'vitest';
import type { Ground } from '../../src/evidence/classify-grounds.ts';
import { restoredKeys } from '../../src/evidence/text-by-keys.ts';
import { legOne } from '../../src/evidence/leg-one.ts';
import type { TreeEntry } from '../../src/evidence/tree-entry.ts';
import { doubtsOf } from '../../src/evidence/proof-verdict.ts';

/** Trees of files whose hash is their text. */
const tree = (files: Readonly<Record<string, string>>, mode = '100644') =>
  new Map(Object.entries(files).map(([path, hash]): [string, TreeEntry] => [path, { mode, hash }]));

function planned(base: Readonly<Record<string, string>>, work: Readonly<Record<string, string>>, mode = '100644') {
  const paths = [...new Set([...Object.keys(base), ...Object.keys(work)])].filter((path) => path.startsWith('test'));
  const whole = paths.map((path): [string, Ground] => [path, { reason: 'test-folder', by: null }]);
  const grounds = new Map<string, Ground>([...whole, ['package.json', { reason: 'keys', by: null }]]);
  const plan = legOne({ base: tree(base), work: tree(work, mode), grounds, text: ({ hash }) => hash });
  return {
    changes: plan.changes.map(({ path, how, keys = [] }) => [path, how, ...keys].join(' ')),
    files: Object.fromEntries([...plan.entries].map(([path, { hash }]) => [path, plan.texts.get(path) ?? hash])),
  };
}

describe('V2 the first leg has exactly the grounds of the base', () => {
  test('V2 changed and removed grounds are restored, new ones are absent, the work stays', () => {
    expect(
      planned(
        { 'test/a': '1', 'test/b': '1', 'test/c': '1', src: '1' },
        { 'test/a': '2', 'test/c': '1', 'test/d': '1', src: '2' },
      ),
    ).toEqual({
      changes: ['test/a restored', 'test/b restored', 'test/d absent'],
      files: { 'test/a': '1', 'test/b': '1', 'test/c': '1', src: '2' },
    });
  });

  test('V2 a file in the place of a folder of grounds, or a folder in the place of one, makes room', () => {
    expect(planned({ 'test/a': '1' }, { test: '2' })).toEqual({
      changes: ['test absent', 'test/a restored'],
      files: { 'test/a': '1' },
    });
    expect(planned({ test: '1' }, { 'test/a': '2' })).toEqual({
      changes: ['test restored', 'test/a absent'],
      files: { test: '1' },
    });
    expect(planned({ 'lib/test': '', 'test/x/a': '1' }, { 'lib/test': '', 'test/x': '2' }).files).toEqual({
      'lib/test': '',
      'test/x/a': '1',
    });
  });

  test('V2 a mode is a part of a ground', () => {
    expect(planned({ 'test/a': '1' }, { 'test/a': '1' }, '100755').changes).toEqual(['test/a restored']);
  });

  test('V2 of a file with keys only those are restored, but a removed file, or a link, as a whole', () => {
    const base = { 'package.json': '{"name":"a","scripts":{"test":"t"}}' };
    const work = { 'package.json': '{"name":"b","scripts":{"test":"exit 0"}}' };
    const restored = planned(base, work);
    expect(restored.changes).toEqual(['package.json keys name scripts']);
    expect(JSON.parse(restored.files['package.json'] ?? '')).toEqual({ name: 'a', scripts: { test: 't' } });
    expect(planned(base, {}).changes).toEqual(['package.json restored']);
    expect(planned(base, work, '120000').changes).toEqual(['package.json restored']);
    expect(planned(base, { 'package.json': '{' }).changes).toEqual(['package.json restored']);
    expect(planned(base, { 'package.json': '{"scripts":{"test":"t"},"name":"a","version":"2"}' }).changes).toEqual([]);
    expect(planned({}, work).changes).toEqual(['package.json keys name scripts']);
  });
});

describe('V2 keys that are grounds', () => {
  const ofTool = (base: string | null, work: string) => restoredKeys('pyproject.toml', base, work);

  test('V2 tables of tools in a pyproject.toml are those of the base, the project is that of the work', () => {
    const base = '[project]\nname = "a"\n[tool.pytest.ini_options]\naddopts = "-q"\n';
    const work =
      '[project]\nname = "b"\n[tool.pytest.ini_options]\naddopts = "-k none"\n[tool.ruff]\nline-length = 9\n';
    expect(ofTool(base, work)).toEqual({
      kind: 'keys',
      keys: ['tool.pytest', 'tool.ruff'],
      text: '[project]\nname = "b"\n\n[tool.pytest.ini_options]\naddopts = "-q"\n',
    });
    expect(ofTool(base, `# a comment\n${base}`)).toEqual({ kind: 'same' });
    expect(ofTool(null, '[project]\nname = "b"\n')).toEqual({ kind: 'same' });
    expect(ofTool(base, 'no = ')).toEqual({ kind: 'whole' });
  });

  test('V2 replaced modules in a go.mod are those of the base', () => {
    const base = 'module m\nreplace a => ./a\nrequire b v1\n';
    const work = 'module m\nrequire b v2\nreplace (\n\ta => ./forged\n\tb => ./b\n)\nreplace c => ./c\n';
    const found = restoredKeys('go.mod', base, work);
    expect(found).toEqual({ kind: 'keys', keys: ['replace'], text: expect.stringContaining('require b v2') });
    const text = found.kind === 'keys' ? found.text : '';
    expect(text.match(/.*=>.*/g)).toEqual(['replace a => ./a']);
    expect(restoredKeys('go.mod', base, `${base}require c v1\n`)).toEqual({ kind: 'same' });
  });

  test.each([
    ['as an indented line', 'module m\n', 'module m\n\t replace t => ./forged\n'],
    [
      'behind a comment with a bracket',
      'module m\n',
      'module m\nreplace ( // (\n\ta => ./a // :)\n\tt => ./forged\n)\n',
    ],
    ['at a path with a bracket', 'module m\nreplace t => "./a(b)/t"\n', 'module m\nreplace t => "./a(b)/forged"\n'],
  ])('V2 a module that the work replaces %s is that of the base', (_, base, work) => {
    const found = restoredKeys('go.mod', base, work);
    expect(found).toMatchObject({ kind: 'keys', keys: ['replace'] });
    const text = found.kind === 'keys' ? found.text : '';
    expect(text).not.toContain('forged');
    expect(text.match(/.*=>.*/g)).toEqual(base.match(/.*=>.*/g));
  });

  test('V2 a package.json that is nested too deep is that of the base', () => {
    const deep = `${'{"a":'.repeat(60_000)}1${'}'.repeat(60_000)}`;
    expect(restoredKeys('package.json', '{"name":"a"}', `{"name":"a","jest":${deep}}`)).toEqual({ kind: 'whole' });
  });

  test('V2 a key that the base does not have is absent', () => {
    const found = restoredKeys(
      'package.json',
      '{"name":"a"}',
      '{"name":"a","jest":{"testMatch":[]},"__proto__":{"x":1}}',
    );
    expect(found).toMatchObject({ kind: 'keys', keys: ['jest'] });
  });
});

test('V3 what speaks against a run, the gravest first', () => {
  const [good, bad] = [{ passed: true }, { passed: false }];
  const clean = { tests: [], changedDependencies: 0, pointersHome: 0, providedChanged: 0, touched: 0 };
  expect(doubtsOf({ legs: [good], ...clean })).toEqual([]);
  expect(doubtsOf({ legs: [good, good], ...clean })).toEqual([]);
  expect(doubtsOf({ legs: [good], ...clean, providedChanged: 1 })).toEqual(['provided']);
  expect(doubtsOf({ legs: [good, bad], ...clean })).toEqual(['work-leg']);
  expect(doubtsOf({ legs: [good], ...clean, touched: 1 })).toEqual(['touched']);
  expect(doubtsOf({ ...clean, legs: [bad, good], changedDependencies: 1, pointersHome: 1 })).toEqual([
    'base-leg',
    'dependencies',
    'pointers-home',
  ]);
});

test('V2 Cargo.toml keeps what it tells compilers, and has what the work adds beside it', () => {
  const base = '[package]\nname = "x"\n\n[workspace]\nmembers = ["a"]\n\n[workspace.lints.rust]\nunused = "deny"\n';
  const work = '[package]\nname = "x"\nbuild = "mine.rs"\n[dependencies]\na = "1"\n[lints.rust]\nunused = "allow"\n';
  const found = restoredKeys('Cargo.toml', base, work);
  expect(found).toMatchObject({ kind: 'keys', keys: ['lints', 'workspace.lints', 'package.build'] });
  expect(parse(found.kind === 'keys' ? found.text : '')).toEqual({
    package: { name: 'x' },
    dependencies: { a: '1' },
    workspace: { lints: { rust: { unused: 'deny' } } },
  });
  expect(restoredKeys('Cargo.toml', base, `${base}[dependencies]\na = "1"\n`)).toEqual({ kind: 'same' });
});

test.each([
  ['./test/same.js', './src/same.js', true],
  ['./test/*.js', './src/*.js', true],
  ['./src/*.js', './lib/*.js', false],
  ['./generated/*.js', './lib/*.js', false],
])('V2 a name that package.json gives to files of tests stays theirs: %s, not %s, %s', (before, after, isHeld) => {
  const entry = (hash: string) => ({ mode: '100644', hash });
  const files = ['test/same.js', 'src/same.js'].map((path) => [path, entry(path)] as const);
  const text = (target: string) => JSON.stringify({ imports: { '#same': target, '#own': './src/own.js' } });
  const found = legOne({
    base: new Map([['package.json', entry('before')], ...files]),
    work: new Map([['package.json', entry('after')], ...files]),
    grounds: new Map<string, Ground>([
      ['package.json', { reason: 'keys', by: null }],
      ['test/same.js', { reason: 'test-folder', by: null }],
    ]),
    text: ({ hash }) => text(hash === 'before' ? before : after),
  });
  expect(found.changes).toEqual(isHeld ? [{ path: 'package.json', how: 'keys', keys: ['imports'] }] : []);
  const restored = found.texts.get('package.json') ?? text(after);
  expect(JSON.parse(restored)).toEqual(JSON.parse(text(isHeld ? before : after)));
});
