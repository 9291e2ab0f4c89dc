// In a `package.json`, `imports` and `exports` give names to files. A name that stands for a file of the tests, or for
// a package, is what tests rest on: the work gives it to no other file. All other names are the work's.

/** The keys of a `package.json` whose values are such names. */
export const MAPS: readonly string[] = ['imports', 'exports'];

/** Whether what a name stands for is a ground, by the path or the pattern as the file has it: `./test/*.js`. */
export type IsOfTests = (target: string) => boolean;

/**
 * What the work maps, with the names of the base that stand for grounds. Null: they are as in the base.
 *
 * @example
 * const isOfTests = (target: string) => target.startsWith('./test/');
 * restoredEntries({ '#a': './test/a.js' }, { '#a': './src/a.js' }, isOfTests); // { '#a': './test/a.js' }
 */
export function restoredEntries(base: unknown, work: unknown, isOfTests: IsOfTests): object | null {
  const after = namesIn(work);
  const held = Object.entries(namesIn(base)).filter(([, target]) => restsOnTests(target, isOfTests));
  const added = Object.keys(after).filter((name) => held.some(([pattern]) => pattern !== name && fits(pattern, name)));
  const isSame = held.every(([name, target]) => JSON.stringify(after[name]) === JSON.stringify(target));
  if (isSame && added.every((name) => Object.hasOwn(namesIn(base), name))) return null;
  const kept = Object.entries(after).filter(([name]) => !added.includes(name));
  return Object.fromEntries([...kept, ...held]);
}

/** One target, or conditions alone, stand for the package itself. */
function namesIn(value: unknown): Readonly<Record<string, unknown>> {
  if (value === undefined || value === null) return {};
  if (typeof value !== 'object' || Array.isArray(value)) return { '.': value };
  const entries = Object.entries(value);
  return entries.every(([name]) => /^[.#]/.test(name)) ? Object.fromEntries(entries) : { '.': value };
}

function restsOnTests(target: unknown, isOfTests: IsOfTests): boolean {
  const targets = targetsIn(target);
  return targets.length > 0 && targets.every((one) => !one.startsWith('.') || isOfTests(one));
}

/** Of all conditions. */
const targetsIn = (target: unknown): readonly string[] => {
  if (typeof target === 'string') return [target];
  return typeof target === 'object' && target !== null ? Object.values(target).flatMap(targetsIn) : [];
};

/** Node takes the longest pattern. */
function fits(pattern: string, name: string): boolean {
  const [before = '', after = ''] = pattern.split('*');
  return pattern.includes('*') && name.startsWith(before) && name.endsWith(after);
}
