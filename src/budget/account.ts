import type { ReachedLimit } from '../../machines/outcome.ts';
import { setAside } from './limit-use.ts';

/** An amount of each thing that can be limited. */
export interface Amount {
  readonly steps: number;
  readonly toolCalls: number;
  readonly tokens: number;
  /** Billionths of a US dollar. */
  readonly nanoUsd: number;
  readonly timeMs: number;
}

/** The caps of each; null or absent is no cap. */
export type Caps = { readonly [unit in keyof Amount]?: number | null };

interface Held {
  readonly phase: string;
  readonly amount: Amount;
}

/**
 * What may be spent, what was spent, and what is reserved for work under way. Plain data: every change returns a new
 * account. The caps hold exactly unless work costs more than was reserved for it; then they are exceeded by that
 * difference.
 */
export interface Account {
  readonly caps: Caps;
  /** Caps of single phases, within the caps of the whole. */
  readonly phaseCaps: { readonly [phase: string]: Caps };
  /** By phase. Their sum is everything that was spent. */
  readonly spent: { readonly [phase: string]: Amount };
  /** By the id of the work that it is reserved for. */
  readonly held: { readonly [id: string]: Held };
}

export type Reserved =
  | { readonly kind: 'reserved'; readonly account: Account }
  | { readonly kind: 'refused'; readonly limit: ReachedLimit };

export const NOTHING: Amount = { steps: 0, toolCalls: 0, tokens: 0, nanoUsd: 0, timeMs: 0 };

/** The default phase. */
export const WORK = 'work';

/**
 * An account from which nothing is spent yet.
 *
 * @example
 * const account = openAccount({ tokens: 250_000 }, { summary: { tokens: 2_000 } });
 */
export const openAccount = (caps: Caps, phaseCaps: Account['phaseCaps'] = {}): Account => ({
  caps,
  phaseCaps,
  spent: {},
  held: {},
});

/**
 * Reserves an estimate before the work starts, or returns the cap that has no room for it: then the work must not
 * start.
 *
 * @example
 * const first = reserve(openAccount({ tokens: 250_000 }), 'experiment-1', { tokens: 100_000 });
 * if (first.kind === 'reserved') settle(first.account, 'experiment-1', { tokens: 93_400 });
 */
export function reserve(account: Account, id: string, estimate: Partial<Amount>, phase = WORK): Reserved {
  if (id in account.held) throw new Error(`${id} has reserved already`);
  const amount = { ...NOTHING, ...estimate };
  const limit =
    withoutRoom(account.caps, [spentOf(account), heldOf(account)], amount) ??
    withoutRoom(account.phaseCaps[phase] ?? {}, [spentOf(account, phase), heldOf(account, phase)], amount);
  if (limit) return { kind: 'refused', limit };
  return { kind: 'reserved', account: { ...account, held: { ...account.held, [id]: { phase, amount } } } };
}

/** Replaces a reservation by the real cost. */
export function settle(account: Account, id: string, actual: Partial<Amount>): Account {
  const { [id]: held, ...rest } = account.held;
  if (!held) throw new Error(`${id} has reserved nothing`);
  const spent = add(account.spent[held.phase] ?? NOTHING, { ...NOTHING, ...actual });
  return { ...account, held: rest, spent: { ...account.spent, [held.phase]: spent } };
}

/** Counts the whole reservation as spent, when the real cost can no longer be known. */
export const abandon = (account: Account, id: string): Account =>
  settle(account, id, account.held[id]?.amount ?? NOTHING);

export type Opened =
  | { readonly kind: 'opened'; readonly account: Account; readonly child: Account }
  | Extract<Reserved, { kind: 'refused' }>;

/** An account below this one. Its caps are a share that is reserved here until it is closed. */
export function openChild(account: Account, id: string, share: Partial<Amount>, phase = WORK): Opened {
  const reserved = reserve(account, id, share, phase);
  return reserved.kind === 'refused'
    ? reserved
    : { kind: 'opened', account: reserved.account, child: openAccount(share) };
}

/** Adds what the child has spent, and frees the rest of its share. Its open reservations count as spent. */
export const closeChild = (account: Account, id: string, child: Account): Account => settle(account, id, taken(child));

/** Everything that was spent, in all or in one phase. */
export const spentOf = ({ spent }: Account, phase?: string): Amount =>
  phase === undefined ? Object.values(spent).reduce(add, NOTHING) : (spent[phase] ?? NOTHING);

/** What is reserved for work under way, in all or for one phase. */
export const heldOf = ({ held }: Account, phase?: string): Amount =>
  Object.values(held)
    .filter((one) => phase === undefined || one.phase === phase)
    .reduce((sum, { amount }) => add(sum, amount), NOTHING);

/** What is neither spent nor set aside, of each thing that is capped; null where it is not. */
export function leftOf(account: Account): { readonly [unit in keyof Amount]: number | null } {
  const { caps } = account;
  const used = taken(account);
  const left = (unit: keyof Amount) => (caps[unit] == null ? null : Math.max(0, caps[unit] - used[unit]));
  return {
    steps: left('steps'),
    toolCalls: left('toolCalls'),
    tokens: left('tokens'),
    nanoUsd: left('nanoUsd'),
    timeMs: left('timeMs'),
  };
}

const taken = (account: Account, phase?: string): Amount => add(spentOf(account, phase), heldOf(account, phase));

const add = (one: Amount, other: Amount): Amount => ({
  steps: one.steps + other.steps,
  toolCalls: one.toolCalls + other.toolCalls,
  tokens: one.tokens + other.tokens,
  nanoUsd: one.nanoUsd + other.nanoUsd,
  timeMs: one.timeMs + other.timeMs,
});

/** Caps before budgets, as everywhere. */
const NAMES = [
  ['steps', 'steps'],
  ['timeMs', 'time_ms'],
  ['toolCalls', 'tool_calls'],
  ['tokens', 'tokens'],
  ['nanoUsd', 'cost_nano_usd'],
] as const satisfies readonly (readonly [keyof Amount, ReachedLimit['name']])[];

/** The first cap that an estimate does not fit under. What costs nothing of a thing fits under any cap of it. */
function withoutRoom(caps: Caps, [spent, held]: readonly [Amount, Amount], next: Amount): ReachedLimit | null {
  for (const [unit, name] of NAMES) {
    const limit = caps[unit] ?? null;
    if (limit !== null && next[unit] > 0 && spent[unit] + held[unit] + next[unit] > limit)
      return { name, used: spent[unit], limit, ...setAside(held[unit]), next: next[unit] };
  }
  return null;
}
