import type { Reservation, Share } from '../../../machines/events.ts';
import { type Life, usageOf } from '../../../machines/life.ts';
import { NO_SPEND, type Spend } from '../../../machines/outcome.ts';
import { answererOf, type CatalogueEntry } from '../../../machines/index.ts';
import { lifeOf } from '../../runtime/fold.ts';
import type { Happening } from '../wander.ts';
import { type Invariant, same } from './invariant.ts';

type Reserved = Readonly<Record<string, Share | Reservation>>;
type Tokens = Pick<Spend, 'inputTokens' | 'outputTokens'>;
/** What nobody knows is nothing. */
type Spent = { readonly [amount in keyof Spend]-?: number };

/**
 * Nothing is lost and nothing counts twice: a run has spent what its events say they have used, what its children say they
 * have spent, its own steps and the calls it has admitted. An attempt that is given up without a word, for which nothing
 * was set aside, counts as all that was left.
 */
export const spendingIsConserved: Invariant = {
  name: 'spending is conserved across parent and children',
  looks: 'always',
  check({ happenings }) {
    let spent: Spent = known(NO_SPEND);
    for (const happening of happenings) {
      spent = sum(sum(spent, spentIn(happening)), lostIn(happening));
      same(happening.event.version, 'what is spent', known(lifeOf(happening.after).spend), spent);
    }
  },
};

/** What is set aside for somebody stays so until they have answered; then it is free, and what they have used counts. */
export const reservesAreFreed: Invariant = {
  name: 'what is set aside is freed by its answer, and charged where nobody answers',
  looks: 'always',
  check({ first, happenings }, loop) {
    let reserved: Reserved = lifeOf(first).reserved;
    for (const happening of happenings) {
      const { event, after } = happening;
      same(event.version, `what ${event.type} charges`, chargedBy(happening), dueFor(happening, reserved));
      reserved = reservedAfter(reserved, happening, loop);
      same(event.version, 'what is set aside', lifeOf(after).reserved, reserved);
    }
  },
};

const known = ({ costNanoUsd = 0, estimatedTokens = 0, ...spend }: Spend): Spent => ({ ...spend, costNanoUsd, estimatedTokens });

function spentIn({ event }: Happening): Spent {
  const { type, payload } = event;
  if (type === 'child.settled') return known(payload.spend);
  const steps = type === 'step.started' ? 1 : 0;
  const toolCalls = type === 'calls.admitted' ? payload.run.length : 0;
  const usage = usageOf(event);
  if (!usage) return { ...known(NO_SPEND), steps, toolCalls };
  const { inputTokens, outputTokens, cost, estimated } = usage;
  return { inputTokens, outputTokens, steps, toolCalls, costNanoUsd: cost?.nanoUsd ?? 0, estimatedTokens: estimated ? inputTokens + outputTokens : 0 };
}

function lostIn({ event, before }: Happening): Spent {
  const life = lifeOf(before);
  const isLost = isGrace(event) && !usageOf(event) && life.pending['agent'] !== undefined && life.reserved['agent'] === undefined;
  const left = (life.limits.maxTokens ?? 0) - tokensOf(life.spend);
  return { ...known(NO_SPEND), outputTokens: isLost ? Math.max(0, left) : 0 };
}

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

/** The tokens that a fact counts for those who will never say what they have used. */
function chargedBy({ event }: Happening): number {
  const usage = isGrace(event) || event.type === 'tool.interrupted' ? usageOf(event) : null;
  return usage ? tokensOf(usage) : 0;
}

function dueFor({ event, before }: Happening, reserved: Reserved): number {
  const life = lifeOf(before);
  return givenUpBy(event, life).reduce((due, actor) => due + heldFor(actor, reserved, life), 0);
}

function givenUpBy(event: Happening['event'], { pending }: Life): string[] {
  if (event.type === 'tool.interrupted') return [`call.${event.payload.callId}`];
  return isGrace(event) ? Object.keys(pending) : [];
}

/** As far as it is there: others may have taken more than was expected. */
function heldFor(actor: string, reserved: Reserved, { limits, spend }: Life): number {
  const held = reserved[actor]?.tokens;
  if (held === undefined) return 0;
  if (limits.maxTokens === null) return held ?? 0;
  const others = Object.entries(reserved).filter(([name]) => name !== actor);
  const left = Math.max(0, limits.maxTokens - tokensOf(spend) - others.reduce((all, [, { tokens }]) => all + (tokens ?? 0), 0));
  return Math.min(held ?? left, left);
}

function reservedAfter(reserved: Reserved, { event }: Happening, loop: CatalogueEntry): Reserved {
  const { type, payload } = event;
  if (type === 'step.started') return payload.reserved ? { ...reserved, model: payload.reserved } : reserved;
  if (type === 'iteration.started') return payload.reserved ? { ...reserved, agent: payload.reserved } : reserved;
  if (type === 'calls.admitted') {
    return { ...reserved, ...Object.fromEntries(payload.run.flatMap(({ callId, share }) => (share ? [[`call.${callId}`, share]] : []))) };
  }
  if (type === 'run.continued') return only(reserved, (actor) => actor === 'summary');
  const isAskedAgain = type === 'model.limited' || type === 'context.filled' || (type === 'model.interrupted' && payload.cause === undefined);
  return isAskedAgain ? reserved : only(reserved, (actor) => actor !== answererOf(loop, event));
}

const only = (reserved: Reserved, stays: (actor: string) => boolean): Reserved =>
  Object.fromEntries(Object.entries(reserved).filter(([actor]) => stays(actor)));

const isGrace = (event: Happening['event']): boolean => event.type === 'timer.fired' && event.payload.timer === 'grace';
const tokensOf = ({ inputTokens, outputTokens }: Tokens): number => inputTokens + outputTokens;
