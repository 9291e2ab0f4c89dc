import { parse } from 'smol-toml';
import { replacedModules } from './module-mocks.ts';
import { nameOf } from './workspace-paths.ts';

/** What is a ground in a file of which only some keys are. */
export type FileKeys =
  | {
      readonly kind: 'keys';
      /** Keys that are grounds. */
      readonly restored: readonly string[];
      /** Keys that the work may change, and that are worth a look when it does. */
      readonly named: readonly string[];
      readonly free: readonly string[];
    }
  | { readonly kind: 'whole'; readonly because: string };

/** Keys of `package.json` that decide what a check runs, and how. A package named like another one takes its place. */
const RESTORED: ReadonlySet<string> = new Set(
  (
    'name scripts jest mocha vitest ava nyc c8 tap babel eslintConfig eslintIgnore prettier standard xo stylelint ' +
    'overrides resolutions pnpm workspaces config ' +
    'packageManager'
  ).split(' '),
);
/** Keys that decide which of the package's own files are loaded. */
const NAMED: ReadonlySet<string> = new Set('type imports exports main bin browser'.split(' '));

const KEYED: ReadonlyMap<string, (text: string) => FileKeys> = new Map([
  ['package.json', keysOfPackage],
  ['pyproject.toml', keysOfPyproject],
  ['go.mod', keysOfGoModule],
  ['Cargo.toml', keysOfCargo],
]);

/** Whether a key of `package.json` is a ground. */
export const isRestoredKey = (key: string): boolean => RESTORED.has(key);

/** Whether only some keys of a file are grounds. */
export const isKeyed = (path: string): boolean => KEYED.has(nameOf(path));

/** The keys of a file, by what they are. One that cannot be read (null), or not by its keys, is a ground as a whole. */
export function keysOf(path: string, text: string | null): FileKeys {
  if (text === null) return { kind: 'whole', because: 'it cannot be read as a text file' };
  return KEYED.get(nameOf(path))?.(text) ?? { kind: 'whole', because: 'its keys are not known' };
}

function keysOfPackage(text: string): FileKeys {
  const value = objectIn(text);
  if (value === null) return { kind: 'whole', because: 'it is not a JSON object' };
  const keys = Object.keys(value);
  return {
    kind: 'keys',
    restored: keys.filter((key) => RESTORED.has(key)),
    named: keys.filter((key) => NAMED.has(key)),
    free: keys.filter((key) => !RESTORED.has(key) && !NAMED.has(key)),
  };
}

/** The object that a text is as JSON. Null: it is something else. */
export function objectIn(text: string): Readonly<Record<string, unknown>> | null {
  try {
    const value: unknown = JSON.parse(text.replace(/^\uFEFF/, ''));
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
  } catch {
    return null;
  }
}

/** Tables of tools decide how they check. */
function keysOfPyproject(text: string): FileKeys {
  try {
    const { tool, ...rest } = parse(text);
    const tools = typeof tool === 'object' && tool !== null ? Object.keys(tool) : [];
    return { kind: 'keys', restored: tools.map((name) => `tool.${name}`), named: [], free: Object.keys(rest) };
  } catch {
    return { kind: 'whole', because: 'it is not TOML' };
  }
}

/** Tables and keys of `Cargo.toml` that decide what is told of the work, and what is compiled in its place. */
export const RESTORED_IN_CARGO: readonly (readonly [table: string, key?: string])[] = [
  ['lints'],
  ['patch'],
  ['replace'],
  ['workspace', 'lints'],
  ['package', 'build'],
];

function keysOfCargo(text: string): FileKeys {
  try {
    const value = parse(text);
    const restored = RESTORED_IN_CARGO.filter((path) => valueAt(value, path) !== undefined).map((path) =>
      path.join('.'),
    );
    return { kind: 'keys', restored, named: [], free: Object.keys(value).filter((key) => !restored.includes(key)) };
  } catch {
    return { kind: 'whole', because: 'it is not TOML' };
  }
}

/** What a table has there. */
export function valueAt(value: object, [table, key]: readonly [table: string, key?: string]): unknown {
  const found: unknown = Object.entries(value).find(([name]) => name === table)?.[1];
  if (key === undefined) return found;
  return typeof found === 'object' && found !== null ? valueAt(found, [key]) : undefined;
}

/** A replaced module may be one that the tests are written with. */
function keysOfGoModule(text: string): FileKeys {
  const { replaced, rest } = replacedModules(text);
  const free = [...new Set(rest.join('\n').match(/^[a-z]+(?=[ \t(])/gm))];
  return { kind: 'keys', restored: replaced.length > 0 ? ['replace'] : [], named: [], free };
}
