import type { Reservation, Share } from '../../../machines/events.ts';
import { type Life, usageOf } from '../../../machines/life.ts';
import { NO_SPEND, type Spend } from '../../../machines/outcome.ts';
import { answererOf } from '../../../machines/index.ts';
import { USUAL_ANSWER_TOKENS } from '../../budget/allowance.ts';
import { nodesOf } from '../../charts/transitions.ts';
import { lifeOf } from '../../kernel/fold.ts';
import { type LoopDefinition, specOf } from '../../kernel/loop-definition.ts';
import type { Happening } from '../random-walk.ts';
import { type Invariant, same } from './invariant.ts';

type Reserved = Readonly<Record<string, Share | Reservation>>;
type Tokens = Pick<Spend, 'inputTokens' | 'outputTokens'>;
/** Unknown amounts count as 0. */
type Spent = { readonly [amount in keyof Spend]-?: number };

/**
 * The spend of a run is the sum of the usage in its events, the spend of its children, and what its definition says an
 * event spends. A child that is given up without a result and without a reservation counts as everything that was left.
 */
export const spendingIsConserved: Invariant = {
  name: 'spending is conserved across parent and children',
  looks: 'always',
  check({ happenings }, loop) {
    const keys = invokedKeys(loop);
    let spent: Spent = known(NO_SPEND);
    for (const happening of happenings) {
      spent = sum(sum(spent, spentIn(happening, loop)), lostIn(happening, loop, keys));
      same(happening.event.version, 'what is spent', known(lifeOf(happening.after).spend), spent);
    }
  },
};

/**
 * A reservation lasts until its effect has answered; then it is freed, and the real usage counts.
 */
export const reservesAreFreed: Invariant = {
  name: 'a reservation is freed by the answer of its effect, and charged where none comes',
  looks: 'always',
  check({ first, happenings }, loop) {
    const atFirst: Reserved = lifeOf(first).reserved;
    let reserved = atFirst;
    for (const happening of happenings) {
      const { event, after } = happening;
      same(event.version, `what ${event.type} charges`, chargedBy(happening, loop), dueFor(happening, reserved, loop));
      reserved = reservedAfter(reserved, happening, loop, atFirst);
      same(event.version, 'what is set aside', lifeOf(after).reserved, reserved);
    }
  },
};

const known = ({ costNanoUsd = 0, estimatedTokens = 0, ...spend }: Spend): Spent => ({
  ...spend,
  costNanoUsd,
  estimatedTokens,
});

function spentIn({ event }: Happening, loop: LoopDefinition): Spent {
  const own: Spent = known({ ...NO_SPEND, ...loop.spend?.(event) });
  if (event.type === 'child.settled') return sum(own, known(event.payload.spend));
  const usage = usageOf(event);
  if (!usage) return own;
  const { inputTokens, outputTokens, cost, estimated } = usage;
  const used = {
    ...NO_SPEND,
    inputTokens,
    outputTokens,
    costNanoUsd: cost?.nanoUsd ?? 0,
    estimatedTokens: estimated ? inputTokens + outputTokens : 0,
  };
  return sum(own, known(used));
}

function lostIn({ event, before }: Happening, loop: LoopDefinition, keys: ReadonlySet<string>): Spent {
  const { limits, pending, reserved, spend } = lifeOf(before);
  const children = before.outstanding.filter((one) => keys.has(one.key) && specOf(one, loop).class === 'child');
  const isLost =
    isGrace(event) && !usageOf(event) && children.some(({ key }) => key in pending && reserved[key] === undefined);
  const left = (limits.maxTokens ?? 0) - tokensOf(spend);
  return { ...known(NO_SPEND), outputTokens: isLost ? Math.max(0, left) : 0 };
}

/**
 * The keys of effects that the chart invokes. Effects that actions start have their own keys, each with a share.
 */
const invokedKeys = ({ machine }: LoopDefinition): ReadonlySet<string> =>
  new Set(nodesOf(machine.root).flatMap(({ invoke }) => invoke.map(({ id }) => id)));

function sum(one: Spent, other: Spent): Spent {
  return {
    inputTokens: one.inputTokens + other.inputTokens,
    outputTokens: one.outputTokens + other.outputTokens,
    toolCalls: one.toolCalls + other.toolCalls,
    steps: one.steps + other.steps,
    costNanoUsd: one.costNanoUsd + other.costNanoUsd,
    estimatedTokens: one.estimatedTokens + other.estimatedTokens,
  };
}

/** The tokens that an event charges for effects whose real usage can no longer be known. */
function chargedBy({ event }: Happening, { unaccounted = {} }: LoopDefinition): number {
  const usage = isGrace(event) || event.type in unaccounted ? usageOf(event) : null;
  return usage ? tokensOf(usage) : 0;
}

function dueFor({ event, before }: Happening, reserved: Reserved, loop: LoopDefinition): number {
  const life = lifeOf(before);
  return givenUpBy(event, life, loop).reduce((due, actor) => due + heldFor(actor, reserved, life), 0);
}

function givenUpBy(event: Happening['event'], { pending }: Life, { unaccounted = {} }: LoopDefinition): string[] {
  const key = unaccounted[event.type]?.(event.payload as never);
  if (key !== undefined) return [key];
  return isGrace(event) ? Object.keys(pending) : [];
}

/**
 * The reservation, limited to what is left: other effects may have used more than expected. Of a question to a model no
 * more than its input and an answer as long as those before it.
 */
function heldFor(actor: string, reserved: Reserved, { limits, spend }: Life): number {
  const share = reserved[actor];
  if (share === undefined) return 0;
  const held = 'inputTokens' in share ? Math.min(share.tokens, share.inputTokens + answerAsUsual(spend)) : share.tokens;
  if (limits.maxTokens === null) return held ?? 0;
  const others = Object.entries(reserved).filter(([name]) => name !== actor);
  const left = Math.max(
    0,
    limits.maxTokens - tokensOf(spend) - others.reduce((all, [, { tokens }]) => all + (tokens ?? 0), 0),
  );
  return Math.min(held ?? left, left);
}

/** The newest of the steps has no answer. */
const answerAsUsual = ({ steps, outputTokens }: Spend): number =>
  outputTokens === 0 ? USUAL_ANSWER_TOKENS : Math.ceil(outputTokens / Math.max(1, steps - 1));

/** `atFirst`: the reservation for the end of the run, which a continuation does not free. */
function reservedAfter(
  reserved: Reserved,
  { event, after }: Happening,
  loop: LoopDefinition,
  atFirst: Reserved,
): Reserved {
  if (event.type === 'run.continued') return only(reserved, (key) => key in atFirst);
  const freed = [...(loop.asksAgain?.(event) ? [] : [answererOf(loop, event)]), ...(loop.frees?.(event) ?? [])];
  const left = only(reserved, (key) => !freed.includes(key) && !begins(key, after));
  return { ...left, ...loop.setsAside?.(event), ...only(lifeOf(after).reserved, (key) => begins(key, after)) };
}

/** A chart may reserve any amount for an effect when it starts, and none, too: what it held before is over. */
const begins = (key: string, { outstanding, version }: Happening['after']): boolean =>
  outstanding.some((one) => one.key === key && one.effect.startsWith(`${version}/`));

const only = (reserved: Reserved, stays: (actor: string) => boolean): Reserved =>
  Object.fromEntries(Object.entries(reserved).filter(([actor]) => stays(actor)));

const isGrace = (event: Happening['event']): boolean => event.type === 'timer.fired' && event.payload.timer === 'grace';
const tokensOf = ({ inputTokens, outputTokens }: Tokens): number => inputTokens + outputTokens;
