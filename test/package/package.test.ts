import { lstatSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { beforeAll, expect, test } from 'vitest';
import { examplesOf } from '../docs/examples.ts';
import { root, run, runTool } from '../repository/tool.ts';
import { type Installed, userEnvironment } from './installed.ts';
import { type Loading, loading } from './loaded.ts';
import { sharedInstallation } from './shared-installation.ts';

let project: Installed;
let compilation: readonly string[];
beforeAll(async () => {
  project = await sharedInstallation();
  compilation = compiled();
});

/** What the compiler says of a file of the project. */
const faultsOf = (file: string): readonly string[] => compilation.filter((line) => line.startsWith(file));

const npx = (folder: string, ...words: string[]) =>
  run('npx', ['--no', '--', 'loopfold', ...words], folder, userEnvironment());

/** The command as npm has linked it: npx itself takes longer than the command. */
const loopfold = (...words: string[]) =>
  run(join(project.folder, 'node_modules', '.bin', 'loopfold'), words, project.folder, userEnvironment());

const bin = (): string => join(project.folder, 'node_modules', 'loopfold', 'src', 'cli', 'bin.mjs');

let demo: Loading | null = null;
/** Run once: one test reads its output, another what it loads. */
const demoRun = (): Loading => (demo ??= loading([bin(), 'demo'], project.folder));

test('the demo runs from an installed package, with the verdict of real checks', () => {
  const { status, output } = demoRun();
  expect(output).toContain('iteration 3/3');
  expect(status).toBe(0);
});

test('help works from any folder below', () => {
  const below = join(project.folder, 'a', 'b');
  mkdirSync(below, { recursive: true });
  const { status, stdout } = npx(below, '--help');
  expect(stdout).toContain('Usage: loopfold');
  expect(status).toBe(0);
});

test('the ten lines of the README compile and run against what was installed', () => {
  expect(faultsOf('ten-lines.ts')).toEqual([]);
  const { stdout, status } = ran('ten-lines.js');
  expect(stdout).toBe(TEN_LINES?.prints);
  expect(status).toBe(0);
});

test('the loop as actor logic is exported with its types', () => {
  expect(faultsOf('actor.ts')).toEqual([]);
  const { stdout } = ran('actor.js');
  expect(stdout).toBe('success done\n');
});

test('a new loop compiles and is proven with what was installed, by a test runner that it does not know', () => {
  expect(faultsOf('my-loop/')).toEqual([]);
  const { status, stdout } = run(
    process.execPath,
    ['--test', '--test-reporter=tap', 'my-loop/my-loop.proof.ts'],
    project.folder,
    userEnvironment(),
  );
  expect(stdout).toMatch(/^# pass 1\d\d$/m);
  expect(stdout).toMatch(/^# fail 0$/m);
  expect(status).toBe(0);
});

test('a new loop runs as it is', () => {
  const words = ['run', 'Say it.', '--loop', './my-loop/my-loop.loop.ts', '-m', 'script:model.json'];
  writeFileSync(join(project.folder, 'model.json'), JSON.stringify({ answers: [{ text: 'APPROVED\nIt is said.' }] }));
  const { status, output } = loopfold(...words);
  expect(output).toContain('approved: It is said.');
  expect(status).toBe(0);
});

test('types are what the compiler says they are: a wrong option is caught where the package is used', () => {
  expect(faultsOf('wrong.ts')).toEqual([expect.stringContaining('TS2322')]);
  expect(compilation.filter((line) => !/^ |^wrong\.ts/.test(line))).toEqual([]);
});

test('a chart of a machine that ships needs no package for its layout, one of another loop names the package', () => {
  const shipped = loopfold('machine', 'improvement', '--format', 'svg');
  expect([shipped.status, shipped.output.slice(0, 4)]).toEqual([0, '<svg']);
  const other = loopfold('machine', './my-loop/my-loop.loop.ts', '--format', 'svg');
  expect([other.status, other.output]).toEqual([5, expect.stringContaining('Install it: npm install elkjs')]);
});

test('at most 66 packages and 60 MB are installed', () => {
  const modules = join(project.folder, 'node_modules');
  expect(packagesIn(modules)).toBeLessThanOrEqual(66);
  expect(bytesIn(modules)).toBeLessThanOrEqual(60_000_000);
});

test('the package has its README, its licence the schema of its configuration and the example, and no sources', () => {
  const home = join(project.folder, 'node_modules', 'loopfold');
  expect(readdirSync(home).toSorted()).toEqual(['LICENSE', 'README.md', 'dist', 'docs', 'package.json', 'src']);
  const [schema, manifest] = ['loopfold/config.schema.json', 'loopfold/package.json'];
  const resolved = `console.log(import.meta.resolve('${schema}'), import.meta.resolve('${manifest}'))`;
  const { stdout } = run(process.execPath, ['--input-type=module', '--eval', resolved], project.folder);
  for (const url of stdout.trim().split(' '))
    expect(JSON.parse(readFileSync(new URL(url), 'utf8'))).toBeTypeOf('object');
});

const PROVIDERS = /\/node_modules\/(ai|@ai-sdk|@pydantic|@xstate)\//;
const READERS = /\/node_modules\/(saxes|tap-parser)\//;
const LIBRARY = "await import('loopfold'); await import('loopfold/xstate'); await import('loopfold/ralph')";
const OBSERVABLES = /\/node_modules\/rxjs\//;
const KERNEL = /\/node_modules\/(xstate|zod|rxjs|execa|yaml)\//;
/** What executes runs, and what the verbs need. */
const CHUNKS = /\/dist\/chunks\/(library|reading|verbs|subprocess)\./;
const EXECUTING = /\/dist\/chunks\/(library|verbs|subprocess)\./;

test.each([
  ['loopfold --help', () => loading([bin(), '--help'], project.folder), [PROVIDERS, READERS, KERNEL, CHUNKS]],
  ['loopfold runs', () => listing('runs'), [PROVIDERS, READERS, OBSERVABLES, EXECUTING]],
  ['loopfold inbox', () => listing('inbox'), [PROVIDERS, READERS, OBSERVABLES, EXECUTING]],
  ['the demo, which has checks,', demoRun, [PROVIDERS]],
  ['the library', () => loading(['--input-type=module', '--eval', LIBRARY], project.folder), [PROVIDERS, READERS]],
])('%s loads nothing that it does not use', (_what, load, unused) => {
  const { modules } = load();
  expect(modules.length).toBeGreaterThan(5);
  expect(modules.filter((url) => unused.some((packages) => packages.test(url)))).toEqual([]);
});

/** A verb that lists the one run of a log. */
function listing(verb: string): Loading {
  const log = ['--log', 'sqlite:listed.db'];
  writeFileSync(join(project.folder, 'listed.json'), JSON.stringify({ answers: [{ text: 'Said.' }] }));
  loopfold('run', 'Say it.', '--loop', 'turn', '-m', 'script:listed.json', ...log);
  const listed = loading([bin(), verb, ...log], project.folder);
  expect(listed.status).toBe(0);
  return listed;
}

test('the program is its bundle: a command loads a few files of ours, and none of the packages in it', () => {
  const { modules } = listing('runs');
  const home = join(project.folder, 'node_modules', 'loopfold', 'dist', 'chunks');
  expect(modules.filter((url) => url.startsWith(pathToFileURL(home).href)).length).toBeGreaterThan(2);
  expect(modules.filter((url) => url.startsWith('file:')).length).toBeLessThan(30);
});

test('the licences of the packages in the bundle are shipped with it', () => {
  const licences = readFileSync(join(project.folder, 'node_modules', 'loopfold', 'dist', 'licences.txt'), 'utf8');
  const bundled = [...licences.matchAll(/^(\S+) \d\S* \([\w.-]+\)$/gm)].map(([, name]) => name);
  // Two that we name, and one that only they need.
  expect(bundled).toEqual(expect.arrayContaining(['zod', 'execa', 'get-stream']));
  expect(licences).toContain('Copyright (c) 2025 Colin McDonnell');
});

test('H7 the kernel of the installed package asks for nothing of Node but its hashes', () => {
  const kernel = readFileSync(join(project.folder, 'node_modules/loopfold/dist/src/kernel/index.js'), 'utf8');
  const asked = [...kernel.matchAll(/^import .* from "([^"]+)";$/gm)].map(([, name]) => name);
  expect(asked.toSorted()).toEqual(['node:crypto', 'xstate']);
});

test('machines and Observables of the library have the classes that its callers have', () => {
  const shared = `
    import { Observable } from 'rxjs';
    import { StateMachine } from 'xstate';
    import { Loops, memoryLog, scriptedModel } from 'loopfold';
    import { turn } from 'loopfold/machines';
    const loops = new Loops({ log: memoryLog(), model: scriptedModel({ answers: [{ text: 'done' }] }) });
    const run = await loops.start({ prompt: 'Say that it is done.', loop: 'turn' });
    await run.done;
    console.log(run.events instanceof Observable, turn instanceof StateMachine);
  `;
  writeFileSync(join(project.folder, 'shared.js'), shared);
  expect(ran('shared.js')).toMatchObject({ stdout: 'true true\n', status: 0 });
});

test('an old Node is told what is needed, before anything is loaded', () => {
  const old = "Object.defineProperty(process, 'versions', { value: { ...process.versions, node: '20.20.2' } })";
  const words = ['--import', `data:text/javascript,${old}`, bin(), 'demo'];
  const { status, output, modules } = loading(words, project.folder);
  expect(output).toContain('needs Node 22.13 or newer, and this is Node 20.20.2');
  expect(status).toBe(5);
  expect(modules.filter((url) => !/\/(bin|compile-cache)\.mjs$/.test(url) && url.startsWith('file:'))).toEqual([]);
});

/** Compiles everything that these tests run, at once. */
function compiled(): readonly string[] {
  const { folder } = project;
  const made = loopfold('new', 'loop', 'my-loop');
  if (made.status !== 0) throw new Error(made.output);
  const sources = { 'ten-lines.ts': TEN_LINES?.code ?? '', 'actor.ts': ACTOR, 'wrong.ts': WRONG };
  for (const [path, code] of Object.entries(sources)) writeFileSync(join(folder, path), code);
  const types = join(folder, 'node_modules', '@types');
  if (!readdirSync(join(folder, 'node_modules')).includes('@types')) mkdirSync(types);
  if (!readdirSync(types).includes('node'))
    symlinkSync(join(root, 'node_modules', '@types', 'node'), join(types, 'node'));
  const options = [
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--strict',
    // Takes less processor time.
    '--singleThreaded',
    '--skipLibCheck',
    'false',
    '--types',
    'node',
  ];
  const { output } = runTool(
    'typescript-native',
    [...options, '--rewriteRelativeImportExtensions', ...Object.keys(sources), 'my-loop/my-loop.proof.ts'],
    folder,
    'tsc',
  );
  run('git', ['init', '--quiet'], folder);
  writeFileSync(join(folder, '.gitignore'), 'node_modules\n');
  return output.split('\n').filter((line) => line !== '');
}

const ran = (file: string) => run(process.execPath, [file], project.folder, userEnvironment());

const [TEN_LINES] = examplesOf('ts').filter(({ file }) => file === 'README.md');

const WRONG =
  "import { Loops, memoryLog } from 'loopfold';\nvoid new Loops({ log: memoryLog() }).start({ prompt: 1 });\n";

const ACTOR = `import { memoryLog, scriptedModel } from 'loopfold';
import { loopLogic, type LoopOutput } from 'loopfold/xstate';
import { createActor, toPromise } from 'xstate';

const agent = loopLogic({ log: memoryLog(), model: scriptedModel({ answers: [{ text: 'done' }] }) });
const output: LoopOutput = await toPromise(createActor(agent, { input: { prompt: 'Do it.' } }).start());
console.log(output.outcome.ending, output.answer);
`;

/** Folders with a package.json that npm put there: those in node_modules folders. */
function packagesIn(modules: string): number {
  return readdirSync(modules)
    .filter((name) => !name.startsWith('.') && name !== '@types')
    .reduce((count, name) => {
      if (name.startsWith('@')) return count + packagesIn(join(modules, name));
      const nested = join(modules, name, 'node_modules');
      return count + 1 + (readdirSync(join(modules, name)).includes('node_modules') ? packagesIn(nested) : 0);
    }, 0);
}

function bytesIn(path: string): number {
  const stats = lstatSync(path);
  if (!stats.isDirectory()) return stats.isSymbolicLink() ? 0 : stats.size;
  return readdirSync(path).reduce((sum, name) => sum + bytesIn(join(path, name)), 0);
}
