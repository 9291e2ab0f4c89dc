/** What a shell passes on as it got it, if it has such a name. */
const CARRIED = /^[A-Za-z_]\w*$/;
/** Shells give these a value of their own, or go by them. */
const OWN_TO_SHELLS = /^(IFS|PPID|E?UID|LINENO|RANDOM|SECONDS|OPT(ARG|ERR|IND)|PS\d|ENV|BASH.*|SHELLOPTS)$/;
/** Shells renew these when they start, or change folder. */
const RENEWED = ['PWD', 'OLDPWD', 'SHLVL'];

type Environment = Readonly<Record<string, string | undefined>>;

const isCarried = (name: string): boolean => CARRIED.test(name) && !OWN_TO_SHELLS.test(name);

/** What a shell is started with, so that its programs need to be told little. */
export const shellEnvironment = (wanted: Environment): Environment =>
  Object.fromEntries(Object.entries(wanted).filter(([name]) => isCarried(name)));

/** How a program gets exactly `wanted` from a shell that was started with `has`. */
export interface Carried {
  readonly unset: readonly string[];
  /** As `name=value`. */
  readonly exported: readonly string[];
  /** As `name=value`, for `env`: no shell would pass them on. */
  readonly others: readonly string[];
}

export function carried(wanted: Environment, has: Environment): Carried {
  const changed = new Set([...RENEWED, ...Object.keys(has), ...Object.keys(wanted).filter(isCarried)]);
  const names = [...changed].filter((name) => RENEWED.includes(name) || has[name] !== wanted[name]);
  return {
    unset: names.filter((name) => wanted[name] === undefined),
    exported: assignments(wanted, names),
    others: assignments(
      wanted,
      Object.keys(wanted).filter((name) => !isCarried(name)),
    ),
  };
}

const assignments = (wanted: Environment, names: readonly string[]): readonly string[] =>
  names.flatMap((name) => (wanted[name] === undefined ? [] : [`${name}=${wanted[name]}`]));
