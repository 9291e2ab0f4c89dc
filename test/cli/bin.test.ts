import { chmodSync, cpSync, mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { root, run } from '../repository/tool.ts';
import { testInTurn } from '../support/in-turn.ts';
import { loopfold } from './program.ts';

const BIN = join('src', 'cli', 'bin.mjs');
const CACHE = join('src', 'cli', 'compile-cache.mjs');
const pretend = (version: string) => {
  const versions = `{ value: { ...process.versions, node: '${version}' } }`;
  return ['--import', `data:text/javascript,Object.defineProperty(process, 'versions', ${versions})`];
};

/** Prints how it was started. */
const PROGRAM = 'console.log(JSON.stringify([process.argv.slice(2), process.versions.node]));\nprocess.exitCode = 7;\n';

/** A project that the package is installed in, with the files it has there. */
const project = (files: Readonly<Record<string, string>> = { 'dist/src/cli/main.js': PROGRAM }) =>
  place(join('node_modules', 'loopfold'), files);
/** A clone of the repository. */
const clone = (files: Readonly<Record<string, string>> = {}) => place('.', { 'src/cli/main.ts': PROGRAM, ...files });

function place(where: string, files: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'loopfold-bin-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const home = join(folder, where);
  mkdirSync(join(folder, 'node_modules', '.bin'), { recursive: true });
  for (const file of [BIN, CACHE]) cpSync(join(root, file), join(home, file));
  writeFileSync(join(home, 'package.json'), '{ "type": "module" }\n');
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(home, path, '..'), { recursive: true });
    writeFileSync(join(home, path), text);
  }
  return { folder, home, node: join(folder, 'node_modules', '.bin', 'node') };
}

const started = ({ home, folder }: ReturnType<typeof place>, version = process.versions.node) =>
  run(process.execPath, [...pretend(version), join(home, BIN), 'a', 'b c'], folder);
/** What starts it on a newer Node, wherever it is installed. */
const hint = (home: string) => `npx -p node@24 node '${join(realpathSync(home), BIN)}'\n`;
const asItself = JSON.stringify([['a', 'b c'], process.versions.node]);

test.for([
  ['20.19.5', 5],
  ['22.12.0', 5],
  ['22.13.0', 7],
  ['24.0.0', 7],
] as const)('on Node %s the published program ends with %i', ([version, status]) => {
  const ended = started(project(), version);
  expect(ended.status).toBe(status);
  if (status === 7) expect(JSON.parse(ended.stdout)).toEqual([['a', 'b c'], version]);
  else expect(ended.output).toContain(`needs Node 22.13 or newer, and this is Node ${version}`);
});

describe('where the running Node is too old', () => {
  testInTurn.each([
    ['a project has as a dependency', project],
    ['a clone has installed', clone],
  ])('the Node that %s runs the program, with its arguments, output and status', (_whose, made) => {
    const given = made();
    symlinkSync(process.execPath, given.node);
    expect(started(given, '20.19.5')).toMatchObject({ status: 7, stdout: `${asItself}\n` });
  });

  test('one beside it that is too old as well is left alone, and one that a signal ends is told by the status', () => {
    const given = project();
    const script = (text: string) => {
      writeFileSync(given.node, `#!/bin/sh\n${text}\n`);
      chmodSync(given.node, 0o755);
    };
    script('echo v18.0.0');
    expect(started(given, '20.19.5')).toMatchObject({ status: 5, output: expect.stringContaining(hint(given.home)) });
    script('[ "$1" = --version ] && echo v24.0.0 || kill -TERM $$');
    expect(started(given, '20.19.5').status).toBe(143);
  });

  test('a clone without a Node of its own says how to get one', () => {
    const { status, output } = started(clone(), '20.19.5');
    expect(output).toMatch(/^Run npm ci in .*, without --ignore-scripts: it brings one\./m);
    expect(status).toBe(5);
  });
});

testInTurn('a clone runs its sources, built or not', () => {
  const built = { 'dist/src/cli/main.js': 'process.exitCode = 1;\n' };
  expect(started(clone(built))).toMatchObject({ status: 7, stdout: `${asItself}\n` });
  expect(started(clone())).toMatchObject({ status: 7 });
});

test('a package without a build says what to do', () => {
  const { status, output } = started(project({}));
  expect(output).toContain('loopfold is not built');
  expect(output).toContain('Install it again.');
  expect(status).toBe(5);
});

testInTurn('the program of this clone starts', async () => {
  const { stdout } = await loopfold(['--version'], { cwd: tmpdir(), file: join(root, BIN) });
  expect(stdout).toMatch(/^\d+\.\d+\.\d+/);
});
