import { isEffectName } from '../effect-names.ts';

/** A row holds what no program of ours has written into it: the store is damaged. */
export class MisshapenError extends Error {
  override readonly name = 'MisshapenError';
  /** The message without the run. */
  readonly reason: string;

  /** `run`: what the row has as the name of its run, where it has one. */
  constructor(reason: string, run?: unknown) {
    super(typeof run === 'string' ? `${reason}, in a row of run ${run}` : reason);
    this.reason = reason;
  }
}

type Fits = (value: unknown) => boolean;

const HASH_BYTES = 32;
/** The last millisecond that a `Date` can name. */
export const LAST_MS = 8.64e15;

const isText: Fits = (value) => typeof value === 'string';
const isWhole: Fits = (value) => Number.isSafeInteger(value) && Number(value) >= 0;
/** The next holder of a lease gets the next epoch, so there has to be one. */
const isEpoch: Fits = (value) => isWhole(value) && Number(value) < Number.MAX_SAFE_INTEGER;
const isEffect: Fits = (value) => typeof value === 'string' && isEffectName(value);
const isTime: Fits = (value) => Number.isSafeInteger(value) && Math.abs(Number(value)) <= LAST_MS;
/** A column that is set, or not: what an index lists. */
const isMark: Fits = (value) => value === 1;
const isBytes: Fits = (value) => value instanceof Uint8Array;
const isHash: Fits = (value) => value instanceof Uint8Array && value.byteLength === HASH_BYTES;
/** Bytes that a query writes in hexadecimal: it makes a number of everything else. */
const isHex: Fits = (value) => typeof value === 'string';
const isHashHex: Fits = (value) => typeof value === 'string' && value.length === 2 * HASH_BYTES;
const orNull =
  (fits: Fits): Fits =>
  (value) =>
    value === null || fits(value);

/** What the columns of all tables hold, by the name that a query gives them. */
const COLUMNS: ReadonlyMap<string, Fits> = new Map([
  ...named(isText, ['run', 'root', 'type', 'content', 'machine', 'state', 'url', 'body', 'task', 'standing']),
  ...named(orNull(isText), ['closed', 'causation', 'mark', 'payload', 'holder', 'rejected']),
  ...named(orNull(isText), ['secret_variable', 'claimed_by', 'last_error', 'limit_key', 'because']),
  ...named(orNull(isEffect), ['parent_effect']),
  ...named(isWhole, ['key', 'position', 'version', 'schema', 'prefix_version', 'id', 'attempts', 'crashes', 'tries']),
  ...named(isEpoch, ['epoch']),
  ...named(orNull(isWhole), ['prefix', 'delivered', 'last_version', 'at_once', 'seen']),
  ...named(isTime, ['at', 'created_at', 'expires_at', 'next_try_at', 'due_at']),
  ...named(orNull(isTime), ['last_at', 'tried_at', 'claimed_until', 'delivered_at', 'given_up_at']),
  ...named(orNull(isMark), ['is_head']),
  ...named(isHash, ['hash']),
  ...named(orNull(isHash), ['digest']),
  ...named(orNull(isBytes), ['salt']),
  ...named(isHashHex, ['hash_hex']),
  ...named(orNull(isHashHex), ['digest_hex', 'last_hash_hex']),
  ...named(orNull(isHex), ['salt_hex']),
]);

function named(fits: Fits, columns: readonly string[]): (readonly [column: string, fits: Fits])[] {
  return columns.map((column) => [column, fits] as const);
}

/** An integer as a number, unless it is too large for one. */
export function numberIn(value: unknown): unknown {
  const number = typeof value === 'bigint' ? Number(value) : Number.NaN;
  return Number.isSafeInteger(number) ? number : value;
}

/** What each column of some rows has to hold. All rows of an answer have the same columns. */
export type Shape = readonly (readonly [column: string, fits: Fits])[];

export const shapeOf = (row: object): Shape =>
  Object.keys(row).flatMap((column) => {
    const fits = COLUMNS.get(column);
    return fits ? [[column, fits] as const] : [];
  });

/** Throws a `MisshapenError` where a column of a row does not hold what its table keeps there. */
export function assertShape(row: object, shape = shapeOf(row)): void {
  for (const [column, fits] of shape) {
    const values = row as Readonly<Record<string, unknown>>;
    if (!fits(values[column])) throw misshapen(column, values[column], values['run']);
  }
}

/** What each place of a tuple has to hold. A column without a name above may hold anything. */
export const tupleShape = (columns: readonly string[]): Shape =>
  columns.map((column) => [column, COLUMNS.get(column) ?? (() => true)] as const);

/** `assertShape` for rows that are tuples. */
export function assertTuple(row: readonly unknown[], shape: Shape): void {
  for (let index = 0; index < shape.length; index += 1) {
    const place = shape[index];
    if (place && !place[1](row[index])) throw misshapen(place[0], row[index], row[placeOfRun(shape)]);
  }
}

const placeOfRun = (shape: Shape): number => shape.findIndex(([column]) => column === 'run');

const misshapen = (column: string, value: unknown, run: unknown) =>
  new MisshapenError(`the column ${column} holds ${inWords(value)}`, run);

function inWords(value: unknown): string {
  switch (typeof value) {
    case 'bigint':
      return `${value}, a number that is too large`;
    case 'number':
      return 'a number that does not fit';
    case 'string':
      return 'a text that does not fit';
    default:
      return value === null ? 'nothing' : 'bytes that do not fit';
  }
}
