import { access, constants, readdir, readFile } from 'node:fs/promises';
import { delimiter, join } from 'node:path';
import { exists } from './places.ts';

/** A check that a manifest of the project suggests. */
export interface ManifestCheck {
  readonly command: string;
  /** The file that it is read from. */
  readonly from: string;
}

/** The files of a folder, by their names. */
interface Files {
  /** Null: there is none that can be read. */
  readonly text: (name: string) => Promise<string | null>;
  readonly has: (name: string) => Promise<boolean>;
  /** The first file that matches, of the folder and of its folders of tests, by name. */
  readonly first: (pattern: RegExp) => Promise<string | null>;
}

/** A manifest larger than this is not looked at. */
const MAX_MANIFEST_CHARACTERS = 1_000_000;

/**
 * The tests of the project in a folder, as its manifests name them, or else files of tests for a runner that is
 * installed. Nothing runs.
 *
 * @example
 * await manifestChecks('.', process.env); // [{ command: 'npm test', from: 'package.json' }]
 */
export async function manifestChecks(
  directory: string,
  { PATH: programs = '' }: NodeJS.ProcessEnv,
): Promise<readonly ManifestCheck[]> {
  const files: Files = {
    text: (name) =>
      readFile(join(directory, name), 'utf8').then(
        (text) => (text.length > MAX_MANIFEST_CHARACTERS ? null : text),
        () => null,
      ),
    has: (name) => exists(join(directory, name)),
    first: (pattern) => firstFile(directory, pattern),
  };
  const found = (await Promise.all([ofNode(files), ofRust(files), ofGo(files), ofPython(files)])).filter(isPresent);
  // A Makefile mostly calls what the others name, and its tests have no names of their own.
  if (found.length > 0) return found;
  const last = (await ofMake(files)) ?? (await ofPythonFiles(files, programs));
  return last === null ? [] : [last];
}

const isPresent = <Value>(value: Value | null): value is Value => value !== null;

/** What `npm init` writes where there are no tests. */
const PLACEHOLDER = /no test specified/;

const LOCKS = [
  ['pnpm-lock.yaml', 'pnpm test'],
  ['yarn.lock', 'yarn test'],
  ['bun.lock', 'bun run test'],
  ['bun.lockb', 'bun run test'],
] as const;

async function ofNode({ text, has }: Files): Promise<ManifestCheck | null> {
  const from = 'package.json';
  const script = testScriptIn(await text(from));
  if (script === null || PLACEHOLDER.test(script)) return null;
  for (const [lock, command] of LOCKS) if (await has(lock)) return { command, from };
  return { command: 'npm test', from };
}

function testScriptIn(text: string | null): string | null {
  if (text === null) return null;
  try {
    const script: unknown = JSON.parse(text)?.scripts?.test;
    return typeof script === 'string' && script.trim() !== '' ? script : null;
  } catch {
    return null;
  }
}

const ofRust = async ({ has }: Files): Promise<ManifestCheck | null> =>
  (await has('Cargo.toml')) ? { command: 'cargo test', from: 'Cargo.toml' } : null;

const ofGo = async ({ has }: Files): Promise<ManifestCheck | null> =>
  (await has('go.mod')) ? { command: 'go test ./...', from: 'go.mod' } : null;

const PYTHON_MANIFESTS = ['pytest.ini', 'pyproject.toml', 'tox.ini', 'setup.cfg'];

/** Where a manifest of Python names pytest. */
async function ofPython({ text, has }: Files): Promise<ManifestCheck | null> {
  for (const from of PYTHON_MANIFESTS) {
    if (!/\bpytest\b/.test((await text(from)) ?? '')) continue;
    return { command: `${(await has('uv.lock')) ? 'uv run ' : ''}pytest`, from };
  }
  return null;
}

/** The names by which pytest finds tests. */
const PYTEST_FILES = /^(test_.*|.*_test)\.py$/;
const TEST_FOLDERS = ['.', 'tests', 'test'];

/** Where files have the names that pytest looks for, and it is installed. */
async function ofPythonFiles({ first }: Files, programs: string): Promise<ManifestCheck | null> {
  const from = await first(PYTEST_FILES);
  return from !== null && (await isInstalled('pytest', programs)) ? { command: 'pytest', from } : null;
}

async function firstFile(directory: string, pattern: RegExp): Promise<string | null> {
  for (const folder of TEST_FOLDERS) {
    const names = await readdir(join(directory, folder)).catch(() => []);
    const [found] = names.filter((name) => pattern.test(name)).toSorted();
    if (found !== undefined) return join(folder, found);
  }
  return null;
}

/** Whether one of the folders of a PATH has the program. Empty entries, which mean the folder itself, do not count. */
async function isInstalled(program: string, programs: string): Promise<boolean> {
  const folders = programs.split(delimiter).filter((folder) => folder !== '');
  const found = folders.map((folder) =>
    access(join(folder, program), constants.X_OK).then(
      () => true,
      () => false,
    ),
  );
  return (await Promise.all(found)).includes(true);
}

const MAKEFILES = ['Makefile', 'makefile', 'GNUmakefile'];

async function ofMake({ text }: Files): Promise<ManifestCheck | null> {
  for (const from of MAKEFILES) {
    const rules = (await text(from)) ?? '';
    const target = ['test', 'check'].find((name) => new RegExp(`^${name}\\s*:(?!=)`, 'm').test(rules));
    if (target !== undefined) return { command: `make ${target}`, from };
  }
  return null;
}
