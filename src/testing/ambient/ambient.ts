import nodeCrypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';
import { type Replacement, withReplaced } from './replace-ambient.ts';

type Call = (this: unknown, ...given: unknown[]) => unknown;

/** Methods that use the locale of the process by default, and the index of the argument that names another. */
const LOCALISED: readonly (readonly [owner: object, name: string, argument: number])[] = [
  [String.prototype, 'localeCompare', 1],
  [String.prototype, 'toLocaleLowerCase', 0],
  [String.prototype, 'toLocaleUpperCase', 0],
  [Number.prototype, 'toLocaleString', 0],
  [Date.prototype, 'toLocaleString', 0],
  [Date.prototype, 'toLocaleDateString', 0],
  [Date.prototype, 'toLocaleTimeString', 0],
];

/** Makes those methods use another locale by default, because a process cannot change its own. */
const localesReplaced = (locale: string): Replacement[] =>
  LOCALISED.map(([owner, name, argument]) => {
    const real = Reflect.get(owner, name) as Call;
    const call: Call = function called(...given) {
      return Reflect.apply(
        real,
        this,
        given[argument] === undefined ? Object.assign([...given], { [argument]: locale }) : given,
      );
    };
    return [owner, name, call];
  });

/**
 * What code can read without being given it: clocks, random numbers, the process environment. A machine reads none of
 * it: time and random values come in with events.
 */
export interface Ambient {
  /** Milliseconds since 1970: what every clock shows. */
  readonly nowMs: number;
  /** From 0 up to, but not including, 1. */
  readonly random: () => number;
  /** Replaces the process's environment variables, time zone and locale. Absent: they stay. */
  readonly place?: {
    readonly variable: (name: string) => string | undefined;
    readonly timeZone: string;
    readonly locale: string;
  };
}

/**
 * Calls a function with the ambient replaced. `reads` receives the name of each source that the function reads, such as
 * `Date.now`.
 */
export function within<Result>(ambient: Ambient, reads: (what: string) => void, call: () => Result): Result {
  const { place } = ambient;
  const replaced = [...clocks(ambient, reads), ...chance(ambient, reads), ...(place ? surroundings(place, reads) : [])];
  const { env } = process;
  const zone = env['TZ'];
  try {
    if (place) env['TZ'] = place.timeZone;
    return withReplaced(replaced, () => {
      syncBuiltinESMExports();
      return call();
    });
  } finally {
    if (place) setTimeZone(env, zone);
    // Named imports of Node's modules follow what is replaced in them, and what is put back.
    syncBuiltinESMExports();
  }
}

function setTimeZone(env: NodeJS.ProcessEnv, zone: string | undefined): void {
  if (zone === undefined) delete env['TZ'];
  else env['TZ'] = zone;
}

function clocks({ nowMs }: Ambient, reads: (what: string) => void): Replacement[] {
  const now = (what: string) => () => (reads(what), nowMs);
  const OtherDate = new Proxy(Date, {
    construct: (target, given, as) => Reflect.construct(target, given.length > 0 ? given : [now('new Date()')()], as),
    apply: (target) => new target(now('Date()')()).toString(),
  });
  const hrtime = () => [Math.floor(now('process.hrtime')() / 1000), 0];
  return [
    [globalThis, 'Date', OtherDate],
    [Date, 'now', now('Date.now')],
    [performance, 'now', now('performance.now')],
    [process, 'hrtime', Object.assign(hrtime, { bigint: () => BigInt(now('process.hrtime.bigint')()) * 1_000_000n })],
    [process, 'uptime', () => now('process.uptime')() / 1000],
  ];
}

function chance({ random }: Ambient, reads: (what: string) => void): Replacement[] {
  const next = (what: string) => () => (reads(what), random());
  const bytes =
    (what: string) =>
    <Filled extends ArrayBufferView>(filled: Filled): Filled => {
      const view = new Uint8Array(filled.buffer, filled.byteOffset, filled.byteLength);
      const one = next(what);
      view.set(Array.from(view, () => Math.floor(one() * 256)));
      return filled;
    };
  const uuid = () => {
    const hex = Buffer.from(bytes('crypto.randomUUID')(new Uint8Array(16))).toString('hex');
    return [hex.slice(0, 8), hex.slice(8, 12), `4${hex.slice(13, 16)}`, `8${hex.slice(17, 20)}`, hex.slice(20)].join(
      '-',
    );
  };
  const between = (least: number, most?: number) => {
    const [from, to] = most === undefined ? [0, least] : [least, most];
    return from + Math.floor(next('crypto.randomInt')() * (to - from));
  };
  return [
    [Math, 'random', next('Math.random')],
    [globalThis.crypto, 'randomUUID', uuid],
    [globalThis.crypto, 'getRandomValues', bytes('crypto.getRandomValues')],
    [nodeCrypto, 'randomUUID', uuid],
    [nodeCrypto, 'randomInt', between],
    [nodeCrypto, 'randomBytes', (size: number) => bytes('crypto.randomBytes')(Buffer.alloc(size))],
  ];
}

function surroundings(
  { variable, locale }: NonNullable<Ambient['place']>,
  reads: (what: string) => void,
): Replacement[] {
  const read = (name: string | symbol) => {
    if (typeof name !== 'string') return undefined;
    reads(`process.env.${name}`);
    return variable(name);
  };
  const env = new Proxy<Record<string, string | undefined>>(
    {},
    {
      get: (_none, name) => read(name),
      has: (_none, name) => read(name) !== undefined,
      ownKeys: () => (reads('process.env'), []),
    },
  );
  return [[process, 'env', env], [process, 'cwd', () => (reads('process.cwd'), '/')], ...localesReplaced(locale)];
}
