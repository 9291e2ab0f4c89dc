import { knownLoop } from '../../projections/loop-in-view.ts';
import { readableFacts } from '../../projections/read-summary.ts';
import type { AppHost } from '../app-host.ts';
import { type KnownRun, type NoCapture, none, type Side, sideOf } from './run-sides.ts';

/** The workspace before and after one round of a run: from the capture before it to the newest one in it. */
export async function roundSides(
  host: Pick<AppHost, 'log' | 'definitions'>,
  known: KnownRun,
  /** From 1. */
  round: number,
): Promise<{ readonly from: Side; readonly to: Side } | NoCapture> {
  const start = await sideOf(host, known, 'start');
  if ('kind' in start) return start;
  const { before, after, rounds } = await captures(host, known.run, round);
  if (round > rounds) return none(known, `it has ${rounds} rounds: there is no round ${round}`);
  const from = before === null ? start : { name: `before round ${round}`, tree: before, note: null };
  if (after !== null) return { from, to: { name: `round ${round}`, tree: after, note: null } };
  if (round < rounds)
    return none(known, `round ${round} was not captured: it was interrupted, or ended before its checks`);
  const to = await sideOf(host, known, 'end');
  return 'kind' in to ? to : { from, to };
}

async function captures({ log, definitions }: Pick<AppHost, 'log' | 'definitions'>, run: string, round: number) {
  let started: string | undefined;
  let rounds = 0;
  let before: string | null = null;
  let after: string | null = null;
  for await (const fact of readableFacts(log, run, definitions)) {
    if (fact.type === 'run.started') started = knownLoop(fact.payload.machine, definitions)?.rounds.started;
    if (fact.type === started) rounds += 1;
    if (fact.type !== 'workspace.captured' || fact.payload.hash === null) continue;
    if (rounds < round) before = fact.payload.hash;
    if (rounds === round) after = fact.payload.hash;
  }
  return { before, after, rounds };
}
