import { replacedModules } from '../module-mocks.ts';
import type { RangedPackage } from './package-request.ts';

const REQUIRE = /^(?:require\s+)?([^\s().]+\.[^\s()]+)\s+(v\d\S*)$/;
const VENDORED = /^# (\S+) (v\S+)/;

/**
 * The modules that a `go.mod` requires, each in one version. Not those that it replaces.
 *
 * @example
 * goRequires('module m\nrequire example.com/a v1.2.3 // indirect'); // [{ name: 'example.com/a', wanted: 'v1.2.3', … }]
 */
export function goRequires(text: string): readonly RangedPackage[] {
  const { replaced, rest } = replacedModules(text);
  const elsewhere = new Set(replaced.map((line) => line.replace(/^replace\s+/, '').split(/\s/, 1)[0] ?? ''));
  return rest.flatMap((line) => {
    const isIndirect = /\/\/\s*indirect/.test(line);
    const [, name, version] = REQUIRE.exec(line.replace(/\/\/.*/, '').trim()) ?? [];
    if (name === undefined || version === undefined || elsewhere.has(name)) return [];
    return [{ name, wanted: version, range: version, mayLack: isIndirect }];
  });
}

/** The versions of the modules that `vendor/modules.txt` lists. */
export const vendoredModules = (text: string): ReadonlyMap<string, string> =>
  new Map(
    text.split('\n').flatMap((line) => {
      const [, name, version] = VENDORED.exec(line) ?? [];
      return name === undefined || version === undefined ? [] : [[name, version] as const];
    }),
  );
