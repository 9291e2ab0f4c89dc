import { z } from 'zod';
import { whole } from '../strategies/numbers.ts';
import type { Detector, Noticed } from './detector.ts';
import { detectorKind } from './detector-kind.ts';
import { withEvidence } from './evidence-ids.ts';
import { type Again, again, type KnownCalls, NO_CALLS } from './call-counts.ts';
import { type Awaited, type SeenStep, stepByStep } from './step-by-step.ts';
import type { Observed } from './observation.ts';
import { noticedAt } from './notice.ts';
import { withRefusal } from './refusal.ts';
import { type Rungs, rungAt } from './rungs.ts';
import { strongest } from './strongest.ts';
import { noTraits, type TraitsOf } from './traits.ts';
import { NO_WAIT, waitedLonger, waitedTooLong, type WaitingRow } from './wait-row.ts';

/** How many event ids a finding cites, the newest. */
const MAX_EVIDENCE = 20;
const KEY_CHARS = 12;
const MINUTE_MS = 60_000;

interface Row {
  readonly count: number;
  readonly evidence: readonly string[];
}

export interface Stagnation {
  readonly known: KnownCalls;
  /** Steps in a row that were two in turn, each with the same result every time; and the last two. */
  readonly turns: Row & { readonly lastTwo: readonly string[] };
  /** Steps in a row whose results were known. */
  readonly stale: Row;
  readonly waiting: WaitingRow;
}

const calls = (byDefault: number) => whole(2, 'calls').default(byDefault);
const CONFIG = z
  .strictObject({
    nudge: calls(10),
    refuse: whole(2, 'calls').optional(),
    stop: calls(20),
    global: calls(30),
    waitNudgeMs: whole(1_000, 'milliseconds').default(10 * MINUTE_MS),
    waitStopMs: whole(1_000, 'milliseconds').default(40 * MINUTE_MS),
    /** Words of commands that wait. Absent: those of `sleep`, `gh run`, `kubectl` and their like. */
    waitingWords: z.array(z.string().min(1).max(100)).max(100).optional(),
    /** The calls that were remembered before they were counted by signature. It bounds nothing any more. */
    history: z.int().optional(),
  })
  .refine(({ nudge, stop }) => nudge < stop, { path: ['nudge'], error: 'less than `stop`' })
  .refine(({ stop, global }) => stop <= global, { path: ['stop'], error: 'at most `global`' })
  .refine(({ waitNudgeMs, waitStopMs }) => waitNudgeMs < waitStopMs, {
    path: ['waitNudgeMs'],
    error: 'less than `waitStopMs`',
  });
type Numbers = z.output<typeof CONFIG>;

const FRESH: Stagnation = {
  known: NO_CALLS,
  turns: { count: 0, evidence: [], lastTwo: [] },
  stale: { count: 0, evidence: [] },
  waiting: NO_WAIT,
};

/**
 * D8: calls that bring nothing new. The same call with the same result, with any calls between; two steps in turn, each
 * with the same result every time; or only steps whose results were already known, in any pattern. A changed result is
 * progress. D17: waiting is bounded by its time, and only looks without any pause by their number.
 */
export function noProgress(
  numbers: Numbers = CONFIG.parse({}),
  traits: TraitsOf = noTraits,
): Detector<Awaited<Stagnation>> {
  return stepByStep('no-progress', FRESH, traits, (before, seen) => afterStep(before, seen, numbers));
}

function afterStep(before: Stagnation, { observed, step, event }: SeenStep, numbers: Numbers): Noticed<Stagnation> {
  let { known } = before;
  let isNews = false;
  const same = observed.map((call) => {
    const made = again(known, call);
    ({ known } = made);
    isNews ||= !made.isOld && !(call.isPolling && made.isFirst);
    return call.isPolling ? {} : sameResult(call, made, numbers);
  });
  // Those of one answer wait at the same time.
  const [longest] = observed
    .filter(({ isPolling }) => isPolling)
    .toSorted((one, other) => other.waitedMs - one.waitedMs);
  const row = isNews ? NO_WAIT : before.waiting;
  const waiting = longest ? waitedLonger(row, longest, event.at) : row;
  const bounds = { ...numbers, nudgeLooks: numbers.stop, stopLooks: numbers.global };
  const said = [...same, waitedTooLong(waiting, row, bounds)];
  if (step.isPolling) return reported({ ...before, known, waiting }, said);
  const turns = inTurn(before.turns, step);
  const stale = isNews ? FRESH.stale : longer(before.stale, step);
  const rows = [takingTurns(turns, before.turns, numbers), nothingNew(stale, numbers)];
  return reported({ ...before, known, waiting, turns, stale }, [...said, ...rows]);
}

type Said = ReturnType<typeof noticedAt>;

function reported(state: Stagnation, said: readonly Said[]): Noticed<Stagnation> {
  const refusal = said.find((one) => one.refusal)?.refusal;
  const findings = said.flatMap(({ finding }) => finding ?? []);
  return { state, ...(refusal ? { refusal } : {}), ...strongest(findings) };
}

const longer = ({ count, evidence }: Row, { evidence: [asked] }: Observed): Row => ({
  count: count + 1,
  evidence: withEvidence(evidence, asked, MAX_EVIDENCE),
});

function inTurn(before: Stagnation['turns'], step: Observed): Stagnation['turns'] {
  const key = `${step.action.slice(0, KEY_CHARS)}${step.result.slice(0, KEY_CHARS)}`;
  const [twoBefore, last] = before.lastTwo.length === 2 ? before.lastTwo : [undefined, before.lastTwo[0]];
  const lastTwo = [...before.lastTwo, key].slice(-2);
  if (!last || last.startsWith(key.slice(0, KEY_CHARS))) return { ...longer(FRESH.turns, step), lastTwo };
  if (twoBefore !== key) return { ...longer({ count: 0, evidence: before.evidence.slice(-1) }, step), lastTwo };
  // Any two are a row of one: that they were in turn is known with the third.
  const { count, evidence } = before;
  return { ...longer({ count: Math.max(count, 2), evidence }, step), lastTwo };
}

const sameResult = ({ tool, action }: Observed, { count, before, asked }: Again, numbers: Rungs): Said =>
  at([count, before], numbers, `the same call of ${tool} brought the same result ${count} times`, asked, [action]);

const takingTurns = ({ count, evidence }: Row, before: Row, { nudge, stop }: Numbers): Said =>
  count > before.count
    ? at(
        [count, before.count],
        { nudge, refuse: 0, stop },
        `two calls took turns, ${count} in all, each with the same result every time`,
        evidence,
      )
    : {};

const nothingNew = ({ count, evidence }: Row, { global }: Numbers): Said =>
  at(
    [count, count - 1],
    { nudge: 0, refuse: 0, stop: global },
    `${count} calls in a row brought nothing new`,
    evidence,
  );

function at(
  [count, before]: readonly [count: number, before: number],
  rungs: Rungs,
  message: string,
  evidence: readonly string[],
  actions: readonly string[] = [],
): Said {
  const rung = rungAt(count, before, rungs);
  return rung === null ? {} : noticedAt(rung, { detector: 'no-progress', count, message, evidence }, { actions });
}

export const noProgressKind = detectorKind({
  name: 'no-progress',
  row: 'D8',
  notices:
    'calls bring nothing new: the same call with the same result, two in turn, or only known results; or a wait is long',
  config: CONFIG,
  inDefault: true,
  countsCalls: true,
  climbs: true,
  create: (config, traits) => withRefusal(noProgress(config, traits), traits),
});
