import { parse, stringify } from 'smol-toml';
import { isRestoredKey, keysOf, objectIn, RESTORED_IN_CARGO, valueAt } from './key-grounds.ts';
import { type IsOfTests, MAPS, restoredEntries } from './map-entries.ts';
import { replacedModules } from './module-mocks.ts';
import { nameOf } from './workspace-paths.ts';

/** A file of which only some keys are grounds, with those of the base. */
export type KeyedText =
  /** Its grounds are those of the base already. */
  | { readonly kind: 'same' }
  | { readonly kind: 'keys'; readonly text: string; readonly keys: readonly string[] }
  /** One of the texts cannot be read by its keys: the base's file takes its place. */
  | { readonly kind: 'whole' };

/**
 * The work's text with the base's grounds. `base`: null where the base has no such file, and with it none of its keys.
 * `isOfTests`: what a `package.json` gives a name.
 *
 * @example
 * restoredKeys('package.json', '{"scripts":{"test":"node --test"}}', '{"scripts":{"test":"exit 0"},"name":"x"}');
 */
export function restoredKeys(
  path: string,
  base: string | null,
  work: string,
  isOfTests: IsOfTests = () => false,
): KeyedText {
  const isWhole = [work, ...(base === null ? [] : [base])].some((text) => keysOf(path, text).kind === 'whole');
  if (isWhole) return { kind: 'whole' };
  try {
    return byItsKeys(path, base, work, isOfTests);
  } catch (error) {
    // JSON may be read that is nested too deep to be written again.
    if (error instanceof RangeError) return { kind: 'whole' };
    throw error;
  }
}

function byItsKeys(path: string, base: string | null, work: string, isOfTests: IsOfTests): KeyedText {
  switch (nameOf(path)) {
    case 'package.json':
      return ofPackage(base ?? '{}', work, isOfTests);
    case 'pyproject.toml':
      return ofPyproject(base ?? '', work);
    case 'Cargo.toml':
      return ofCargo(base ?? '', work);
    default:
      return ofGoModule(base ?? '', work);
  }
}

function ofPackage(base: string, work: string, isOfTests: IsOfTests): KeyedText {
  const before = objectIn(base) ?? {};
  const after = objectIn(work) ?? {};
  const keys = [...new Set([...Object.keys(before), ...Object.keys(after)])].filter(
    (key) => isRestoredKey(key) && JSON.stringify(before[key]) !== JSON.stringify(after[key]),
  );
  const maps = MAPS.flatMap((key) => {
    const entries = restoredEntries(before[key], after[key], isOfTests);
    return entries === null ? [] : [[key, entries] as const];
  });
  const changed = [...keys, ...maps.map(([key]) => key)];
  if (changed.length === 0) return { kind: 'same' };
  const kept = Object.entries(after).filter(([key]) => !changed.includes(key));
  const whole = keys.filter((key) => Object.hasOwn(before, key)).map((key) => [key, before[key]] as const);
  const restored = [...whole, ...maps];
  return {
    kind: 'keys',
    keys: changed,
    text: `${JSON.stringify(Object.fromEntries([...kept, ...restored]), null, 2)}\n`,
  };
}

function ofPyproject(base: string, work: string): KeyedText {
  const before = tablesOf(parse(base)['tool']);
  const { tool, ...rest } = parse(work);
  const after = tablesOf(tool);
  const names = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const keys = names.filter((name) => written(before[name]) !== written(after[name]));
  if (keys.length === 0) return { kind: 'same' };
  const restored = Object.keys(before).length === 0 ? rest : { ...rest, tool: before };
  return { kind: 'keys', keys: keys.map((name) => `tool.${name}`), text: stringify(restored) };
}

const tablesOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null ? { ...value } : {};

/** Dates of TOML are objects, too. */
const written = (value: unknown): string => (value === undefined ? '' : stringify({ value }));

function ofCargo(base: string, work: string): KeyedText {
  const [before, after] = [parse(base), parse(work)];
  const changed = RESTORED_IN_CARGO.filter((path) => written(valueAt(before, path)) !== written(valueAt(after, path)));
  if (changed.length === 0) return { kind: 'same' };
  for (const path of changed) {
    const [table, key] = path;
    if (key !== undefined && valueAt(after, [table]) === undefined) after[table] = {};
    const whole = key === undefined ? after : Object(after[table]);
    const value = valueAt(before, path);
    if (value === undefined) Reflect.deleteProperty(whole, key ?? table);
    else Reflect.set(whole, key ?? table, value);
  }
  return { kind: 'keys', keys: changed.map((path) => path.join('.')), text: stringify(after) };
}

function ofGoModule(base: string, work: string): KeyedText {
  const [before, after] = [replacedModules(base), replacedModules(work)];
  if (before.replaced.join('\n') === after.replaced.join('\n')) return { kind: 'same' };
  return { kind: 'keys', keys: ['replace'], text: [...after.rest, ...before.replaced, ''].join('\n') };
}
