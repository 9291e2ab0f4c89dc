import { z } from 'zod';
import type { ToolCall } from '../../machines/events.ts';
import type { Finding } from '../../machines/outcome.ts';
import { type Detector, eventId, type Logged, type Noticed } from './detector.ts';
import { withEvidence } from './evidence-ids.ts';
import { ANSWERS } from './answer-by-answer.ts';
import { detectorKind } from './detector-kind.ts';
import { repetitionOf } from './signature.ts';
import { strongest } from './strongest.ts';
import { rising, threshold } from './thresholds.ts';
import { noTraits, type TraitsOf } from './traits.ts';
import { isFreshStart } from './fresh-start.ts';

/** How many streaks are kept, the newest. */
const MAX_STREAKS = 64;

/** Rounds in a row of one tool that made the same call. */
interface Streak {
  readonly tool: string;
  readonly signature: string;
  readonly count: number;
  readonly evidence: readonly string[];
}

export interface StreakLadder {
  readonly streaks: readonly Streak[];
  /** The stop that applies until a user message. */
  readonly condemned: Finding | null;
}

const rounds = (least: number) => threshold(least, 'rounds');

const CONFIG = z
  .strictObject({
    observe: rounds(2).default(2),
    nudge: rounds(2).default(0),
    block: rounds(2).default(3),
    stop: rounds(2).default(6),
  })
  .superRefine(rising('observe', 'nudge', 'block', 'stop'));
type Config = z.output<typeof CONFIG>;

const FRESH: StreakLadder = { streaks: [], condemned: null };

/**
 * D7: a tool is called in the same way round after round. Identical calls of one answer count once, and other tools
 * between change nothing. Observed and nudged once in a streak; then each such call is blocked; then the run is
 * stopped. No answer to a question lifts the stop, only a user message does.
 */
export function streakLadder(config: Config = CONFIG.parse({}), traits: TraitsOf = noTraits): Detector<StreakLadder> {
  return {
    name: 'streak-ladder',
    sees: ANSWERS,
    init: () => FRESH,
    step: (state, event): Noticed<StreakLadder> => {
      if (isFreshStart(event)) return { state: FRESH };
      if (event.type !== 'model.completed') return { state };
      const calls = event.payload.calls.map(({ callId }) => callId);
      if (state.condemned) return { state, finding: { ...state.condemned, calls } };
      return afterCalls(state, event, config, traits);
    },
  };
}

type Level = Finding['level'];

function afterCalls(
  { streaks }: StreakLadder,
  event: Logged<'model.completed'>,
  config: Config,
  traits: TraitsOf,
): Noticed<StreakLadder> {
  const id = eventId(event);
  const round = new Map<string, { tool: string; calls: ToolCall[] }>();
  for (const call of event.payload.calls) {
    const signature = repetitionOf(call, traits(call.tool));
    if (signature === null) continue;
    const same = round.get(signature) ?? { tool: call.tool, calls: [] };
    same.calls.push(call);
    round.set(signature, same);
  }
  if (round.size === 0) return { state: { streaks, condemned: null } };
  const called = new Set([...round.values()].map(({ tool }) => tool));
  const seen = [...round].map(([signature, { tool, calls }]) => ({
    streak: lengthened(streaks, tool, signature, id, config),
    calls,
  }));
  const next = [...streaks.filter(({ tool }) => !called.has(tool)), ...seen.map(({ streak }) => streak)].slice(
    -MAX_STREAKS,
  );
  const findings = seen.flatMap(({ streak, calls }) => findingOf(streak, calls, config));
  const { finding } = strongest(findings);
  if (!finding) return { state: { streaks: next, condemned: null } };
  const refused = findings.flatMap(({ calls = [] }) => calls);
  const whole: Finding = refused.length > 0 ? { ...finding, calls: refused } : finding;
  return { state: { streaks: next, condemned: finding.level === 'stop' ? whole : null }, finding: whole };
}

function lengthened(
  streaks: readonly Streak[],
  tool: string,
  signature: string,
  id: string,
  { block, stop }: Config,
): Streak {
  const { count, evidence } = streaks.find((one) => one.signature === signature) ?? { count: 0, evidence: [] };
  return { tool, signature, count: count + 1, evidence: withEvidence(evidence, id, Math.max(2, block, stop)) };
}

function findingOf({ tool, count, evidence }: Streak, calls: readonly ToolCall[], config: Config): Finding[] {
  const level = levelAt(count, config);
  if (level === null) return [];
  const message = `the same call of ${tool} in ${count} rounds in a row`;
  const refuses = level === 'block' || level === 'stop';
  return [
    {
      detector: 'streak-ladder',
      level,
      count,
      message,
      evidence: [...evidence],
      ...(refuses ? { calls: calls.map(({ callId }) => callId) } : {}),
    },
  ];
}

/** The strongest level whose threshold is met. `observe` and `nudge` apply only when it is met exactly. */
function levelAt(count: number, config: Config): Level | null {
  const strongestFirst = ['stop', 'block', 'nudge', 'observe'] as const;
  const met = strongestFirst.find((level) => config[level] > 0 && count >= config[level]);
  if (met === undefined || met === 'stop' || met === 'block') return met ?? null;
  return count === config[met] ? met : null;
}

export const streakLadderKind = detectorKind({
  name: 'streak-ladder',
  row: 'D7',
  notices: 'a tool is called in the same way step after step, whether or not other tools are called between',
  config: CONFIG,
  countsCalls: true,
  create: (config, traits) => streakLadder(config, traits),
});
