import { usageOf } from '../../../machines/life.ts';
import { tokensOf } from '../../../src/budget/limit-use.ts';
import { fold, hasEnded, lifeOf, open, type RunState } from '../../../src/kernel/fold.ts';
import type { EventStore, RunRecord } from '../../../src/log/event-store.ts';
import type { LoopDefinition } from '../../../src/kernel/loop-definition.ts';
import type { Seen } from '../../support/observers.ts';
import { history } from '../../support/run-history.ts';

const CALL_RESULTS: readonly string[] = ['tool.completed', 'tool.failed', 'tool.interrupted', 'child.settled'];

/** What is wrong with the runs of a log in which every run should have ended, one sentence for each fault. */
export async function faultsInRuns(log: EventStore, loops: readonly LoopDefinition[]): Promise<readonly string[]> {
  const records = await log.runs();
  const faults: string[] = [];
  const openedBy = records.flatMap(({ parentEffect }) => parentEffect ?? []);
  for (const effect of repeatedIn(openedBy)) faults.push(`${effect} has opened more than one run`);
  const givenUp = await childrenGivenUp(log, records);
  for (const record of records) {
    if (record.closed === null && !givenUp.has(record.run)) faults.push(`${record.run}: it has not ended`);
    const verified = await log.verify(record.run);
    if (verified.kind !== 'intact') faults.push(`${record.run}: its chain is ${verified.kind}`);
    try {
      faults.push(...faultsIn(record, await history(log, record.run), loops).map((fault) => `${record.run}: ${fault}`));
    } catch (error) {
      faults.push(`${record.run} cannot be folded: ${String(error)}`);
    }
  }
  return faults;
}

function faultsIn(record: RunRecord, facts: readonly Seen[], loops: readonly LoopDefinition[]): readonly string[] {
  const own = facts.filter(({ version }) => version > (record.forkedFrom?.version ?? 0));
  const faults = [
    ...twice(own, ['timer.fired'], 'a timer fired twice'),
    ...twice(own, ['child.settled'], 'a child was settled twice'),
    ...twice(own, CALL_RESULTS, 'a call has two results'),
    ...epochsOf(own),
  ];
  const { state, leaks } = folded(facts, loops);
  faults.push(...leaks);
  if (record.closed === null) return faults;
  if (!state || !hasEnded(state)) return [...faults, `it is closed as ${record.closed}, and goes on`];
  const { outcome, spend } = lifeOf(state);
  const sinks = own.filter((fact) => fact.type === 'decision.made' && fact.payload.sink !== undefined);
  if (sinks.length !== 1) faults.push(`it has ${sinks.length} endings`);
  if (outcome?.ending !== record.closed)
    faults.push(`it is closed as ${record.closed}, and ended in ${outcome?.ending}`);
  const added = facts.reduce((sum, fact) => sum + tokensIn(fact), 0);
  const hasEstimate = facts.some(({ type }) => type === 'timer.fired');
  if (!hasEstimate && added !== tokensOf(spend))
    faults.push(`it counts ${tokensOf(spend)} tokens, its events ${added}`);
  return [...faults, ...unansweredIn(facts)];
}

const isGrace = (fact: Seen): boolean => fact.type === 'timer.fired' && fact.payload.timer === 'grace';

/** Runs that may stay open: those above them have ended when the grace was over, and did not wait for them. */
async function childrenGivenUp(log: EventStore, records: readonly RunRecord[]): Promise<ReadonlySet<string>> {
  const givenUp = new Set<string>();
  // Parents come before their children.
  for (const { run, parentEffect } of records) {
    const parent = parentEffect?.split('/')[0] ?? '';
    if (givenUp.has(parent) || (parent !== '' && (await history(log, parent)).some(isGrace))) givenUp.add(run);
  }
  return givenUp;
}

/** Every call that was admitted has one result, unless the grace was over before. */
function unansweredIn(facts: readonly Seen[]): readonly string[] {
  if (facts.some(isGrace)) return [];
  const admitted = facts.flatMap((fact) => (fact.type === 'calls.admitted' ? fact.payload.run : []));
  const answered = new Set(facts.flatMap(({ payload }) => ('callId' in payload ? payload.callId : [])));
  return admitted.filter(({ callId }) => !answered.has(callId)).map(({ callId }) => `call ${callId} has no result`);
}

/** When it decides, and is not aborting, nothing is pending: all that it has set aside is free again. */
function folded(
  facts: readonly Seen[],
  loops: readonly LoopDefinition[],
): { readonly state: RunState | null; readonly leaks: readonly string[] } {
  let state: RunState | null = null;
  const leaks: string[] = [];
  for (const fact of facts) {
    if (state === null) {
      const opened = open(fact as never, loops);
      state = opened.kind === 'opened' ? opened.state : null;
    } else state = fold(state, fact as never);
    if (!state) break;
    const { reserved, abort, deadlinePassed } = lifeOf(state);
    const leaked = Object.keys(reserved).filter((actor) => actor !== 'summary');
    if (fact.type === 'decision.made' && !abort && !deadlinePassed && leaked.length > 0)
      leaks.push(`${leaked.join()} is set aside for nothing`);
  }
  return { state, leaks: leaks.slice(0, 1) };
}

function tokensIn(fact: Seen): number {
  if (fact.type === 'child.settled') return tokensOf(fact.payload.spend);
  const usage = usageOf(fact);
  return usage ? tokensOf(usage) : 0;
}

function twice(facts: readonly Seen[], types: readonly string[], what: string): readonly string[] {
  const caused = facts.flatMap(({ type, causation }) => (types.includes(type) && causation !== null ? causation : []));
  return repeatedIn(caused).map((effect) => `${what}: ${effect}`);
}

function epochsOf(facts: readonly Seen[]): readonly string[] {
  const falls = facts.some(({ epoch }, index) => epoch < (facts[index - 1]?.epoch ?? 0));
  return falls ? ['an earlier epoch has written after a later one'] : [];
}

const repeatedIn = (names: readonly string[]): readonly string[] => [
  ...new Set(names.filter((name, index) => names.indexOf(name) !== index)),
];
