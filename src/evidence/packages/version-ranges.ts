import satisfies from 'semver/functions/satisfies.js';
import valid from 'semver/functions/valid.js';
import validRange from 'semver/ranges/valid.js';

// Versions and ranges as npm reads them. Those of Python and Cargo are written as such where they mean the same.

const LOOSE = { loose: true };

/** Tells whether a text asks for versions: not for a place, a tag, or a package under another name. */
export const isRange = (wanted: string): boolean => validRange(wanted, LOOSE) !== null;

/** Tells whether a version is in a range. One that is written otherwise is not known to be outside. */
export function meets(version: string, range: string): boolean {
  const whole = wholeVersion(version);
  return valid(whole, LOOSE) === null || satisfies(whole, range, { ...LOOSE, includePrerelease: true });
}

const PLAIN = /^\d+(?:\.\d+){0,2}$/;
const CLAUSE = /^(===?|~=|>=|<=|>|<)\s*(\d+(?:\.\d+){0,2})(\.\*)?$/;

/**
 * A specifier of Python as a range. Null: it means something that no range says.
 *
 * @example
 * rangeOfPython('~=1.4.2, <2'); // '>=1.4.2 <1.5.0 <2.0.0'
 */
export function rangeOfPython(specifier: string): string | null {
  const clauses = specifier.split(',').flatMap((clause) => (clause.trim() === '' ? [] : [clauseOf(clause.trim())]));
  return clauses.includes(null) ? null : clauses.join(' ').trim() || '*';
}

function clauseOf(clause: string): string | null {
  // One version that is left out says little.
  if (clause.startsWith('!=')) return '';
  const [, sign = '', version, any] = CLAUSE.exec(clause) ?? [];
  if (version === undefined) return null;
  if (any !== undefined) return sign === '==' ? `${version}.x` : null;
  if (sign !== '~=') return `${sign.startsWith('==') ? '=' : sign}${wholeVersion(version)}`;
  const parts = version.split('.').map(Number);
  const [major = 0, minor = 0] = parts;
  if (parts.length < 2) return null;
  const end = parts.length === 2 ? `${major + 1}.0.0` : `${major}.${minor + 1}.0`;
  return `>=${wholeVersion(version)} <${end}`;
}

/** A version of one to three numbers with all three of them: `1.4` is `1.4.0`. Others stay as they are. */
function wholeVersion(version: string): string {
  if (!PLAIN.test(version)) return version;
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  return `${major}.${minor}.${patch}`;
}

/** Returns what `Cargo.toml` asks for, as a range: a bare version stands for all that are compatible with it. */
export const rangeOfCargo = (wanted: string): string =>
  wanted
    .split(',')
    .map((clause) => clause.trim())
    .map((clause) => (/^\d/.test(clause) && !clause.includes('*') ? `^${clause}` : clause))
    .join(' ');
