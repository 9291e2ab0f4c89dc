import type { LoopEvent } from '../../../machines/events.ts';
import type { EventStore } from '../../../src/log/event-store.ts';
import type { Seen } from '../../support/observers.ts';
import { history } from '../../support/run-history.ts';
import { commitName, type SimulatedBranch } from './simulated-branch.ts';

/** What is wrong with the improvement loops of a log, one sentence for each fault. */
export async function faultsInNights(log: EventStore, branch: SimulatedBranch): Promise<readonly string[]> {
  const facts: Seen[] = [];
  for (const { run, forkedFrom } of await log.runs()) {
    const all = await history(log, run);
    const [started] = all;
    if (started?.type !== 'run.started' || started.payload.settings.loop !== 'improvement') continue;
    facts.push(...all.filter(({ version }) => version > (forkedFrom?.version ?? 0)));
  }
  return [
    ...repeated(facts, 'evaluation.completed', 'was evaluated twice'),
    ...repeated(facts.filter(hasWorked), 'child.settled', 'was paid twice'),
    ...repeated(facts, 'integration.completed', 'was kept twice'),
    ...unproven(facts),
    ...faultsOfBranch(facts, branch),
  ];
}

/** An experiment that was stopped for one before it, which was not kept then, is done anew. */
const hasWorked = ({ type, payload }: Seen): boolean =>
  type === 'child.settled' && !(payload.outcome.ending === 'abort' && payload.outcome.cause === 'parent');

const candidateOf = ({ payload }: Seen): string | undefined => {
  if ('candidate' in payload) return payload.candidate;
  return 'lane' in payload ? payload.lane : undefined;
};

const candidatesIn = (facts: readonly Seen[], type: LoopEvent['type']): readonly string[] =>
  facts.flatMap((fact) => (fact.type === type ? (candidateOf(fact) ?? []) : []));

function repeated(facts: readonly Seen[], type: LoopEvent['type'], what: string): readonly string[] {
  const candidates = candidatesIn(facts, type);
  const again = candidates.filter((one, index) => candidates.indexOf(one) !== index);
  return [...new Set(again)].map((one) => `${one} ${what}`);
}

/** Only what has worked is evaluated, and only what has passed is kept. */
function unproven(facts: readonly Seen[]): readonly string[] {
  const worked = candidatesIn(facts, 'child.settled');
  const passed = facts.flatMap((fact) =>
    fact.type === 'evaluation.completed' && fact.payload.passed ? fact.payload.candidate : [],
  );
  return [
    ...candidatesIn(facts, 'evaluation.completed').flatMap((one) =>
      worked.includes(one) ? [] : `${one} was evaluated, and no experiment has made it`,
    ),
    ...candidatesIn(facts, 'integration.completed').flatMap((one) =>
      passed.includes(one) ? [] : `${one} was kept, and has not passed`,
    ),
  ];
}

/** The branch and the records tell of the same commits, in the same order. */
function faultsOfBranch(facts: readonly Seen[], { moves }: SimulatedBranch): readonly string[] {
  const recorded = facts.flatMap((fact) => (fact.type === 'integration.completed' ? fact.payload.commit : []));
  const made = moves.map(commitName);
  // Not promised: an abort whose grace is over does not wait for the integration under way.
  const isGivenUp = facts.some((fact) => fact.type === 'timer.fired' && fact.payload.timer === 'grace');
  const isUnsaid = isGivenUp && made.length === recorded.length + 1;
  const said = isUnsaid ? made.slice(0, -1) : made;
  return said.join() === recorded.join()
    ? []
    : [`the branch has the commits ${made.join() || 'none'}, and its run tells of ${recorded.join() || 'none'}`];
}
