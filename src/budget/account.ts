import type { ReachedLimit } from '../../machines/outcome.ts';

/** So much of each thing that can be limited. */
export interface Amount {
  readonly steps: number;
  readonly toolCalls: number;
  readonly tokens: number;
  /** Billionths of a US dollar. */
  readonly nanoUsd: number;
  readonly timeMs: number;
}

/** At most so much of each; what is null, or not named, has no cap. */
export type Caps = { readonly [unit in keyof Amount]?: number | null };

interface Held {
  readonly phase: string;
  readonly amount: Amount;
}

/**
 * What may be spent, what was, and what is set aside for work under way. Plain data: every change is a new account.
 * Where nothing costs more than was reserved for it, the caps hold exactly; else by the difference of that one.
 */
export interface Account {
  readonly caps: Caps;
  /** Caps of single phases, inside of the caps of the whole. */
  readonly phaseCaps: { readonly [phase: string]: Caps };
  /** By phase. Their sum is all that was spent. */
  readonly spent: { readonly [phase: string]: Amount };
  /** By the id of what it was reserved for. */
  readonly held: { readonly [id: string]: Held };
}

export type Reserved =
  | { readonly kind: 'reserved'; readonly account: Account }
  | { readonly kind: 'refused'; readonly limit: ReachedLimit };

export const NOTHING: Amount = { steps: 0, toolCalls: 0, tokens: 0, nanoUsd: 0, timeMs: 0 };

/** The phase of what names none. */
export const WORK = 'work';

/**
 * An account of which nothing is spent.
 *
 * @example
 * const account = openAccount({ tokens: 250_000 }, { summary: { tokens: 2_000 } });
 */
export const openAccount = (caps: Caps, phaseCaps: Account['phaseCaps'] = {}): Account => ({ caps, phaseCaps, spent: {}, held: {} });

/**
 * Sets an estimate aside before the work starts, or says which cap has no room for it: then nothing may start.
 *
 * @example
 * const first = reserve(openAccount({ tokens: 250_000 }), 'experiment-1', { tokens: 100_000 });
 * if (first.kind === 'reserved') settle(first.account, 'experiment-1', { tokens: 93_400 });
 */
export function reserve(account: Account, id: string, estimate: Partial<Amount>, phase = WORK): Reserved {
  if (id in account.held) throw new Error(`${id} has reserved already`);
  const amount = { ...NOTHING, ...estimate };
  const limit = withoutRoom(account.caps, taken(account), amount) ?? withoutRoom(account.phaseCaps[phase] ?? {}, taken(account, phase), amount);
  if (limit) return { kind: 'refused', limit };
  return { kind: 'reserved', account: { ...account, held: { ...account.held, [id]: { phase, amount } } } };
}

/** What it really cost takes the place of what was set aside for it. */
export function settle(account: Account, id: string, actual: Partial<Amount>): Account {
  const { [id]: held, ...rest } = account.held;
  if (!held) throw new Error(`${id} has reserved nothing`);
  const spent = add(account.spent[held.phase] ?? NOTHING, { ...NOTHING, ...actual });
  return { ...account, held: rest, spent: { ...account.spent, [held.phase]: spent } };
}

/** Nobody will ever know what it cost: all that was set aside for it counts as spent. */
export const abandon = (account: Account, id: string): Account => settle(account, id, account.held[id]?.amount ?? NOTHING);

export type Opened =
  | { readonly kind: 'opened'; readonly account: Account; readonly child: Account }
  | Extract<Reserved, { kind: 'refused' }>;

/** An account below this one: its caps are a share that is set aside here until it is closed. */
export function openChild(account: Account, id: string, share: Partial<Amount>, phase = WORK): Opened {
  const reserved = reserve(account, id, share, phase);
  return reserved.kind === 'refused' ? reserved : { kind: 'opened', account: reserved.account, child: openAccount(share) };
}

/** What the child has spent is spent here, and the rest of its share is free again. What it left open counts as spent. */
export const closeChild = (account: Account, id: string, child: Account): Account => settle(account, id, taken(child));

/** All that was spent, or that of one phase. */
export const spentOf = ({ spent }: Account, phase?: string): Amount =>
  phase === undefined ? Object.values(spent).reduce(add, NOTHING) : (spent[phase] ?? NOTHING);

/** What is set aside for work under way, in all or for one phase. */
export const heldOf = ({ held }: Account, phase?: string): Amount =>
  Object.values(held)
    .filter((one) => phase === undefined || one.phase === phase)
    .reduce((sum, { amount }) => add(sum, amount), NOTHING);

/** What is neither spent nor set aside, of each thing that is capped; null where it is not. */
export function leftOf(account: Account): { readonly [unit in keyof Amount]: number | null } {
  const { caps } = account;
  const used = taken(account);
  const left = (unit: keyof Amount) => (caps[unit] == null ? null : Math.max(0, caps[unit] - used[unit]));
  return { steps: left('steps'), toolCalls: left('toolCalls'), tokens: left('tokens'), nanoUsd: left('nanoUsd'), timeMs: left('timeMs') };
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
function withoutRoom(caps: Caps, used: Amount, next: Amount): ReachedLimit | null {
  for (const [unit, name] of NAMES) {
    const limit = caps[unit] ?? null;
    if (limit !== null && next[unit] > 0 && used[unit] + next[unit] > limit) return { name, used: used[unit], limit, next: next[unit] };
  }
  return null;
}
