import { expect, test } from 'vitest';
import type { EventOf, LoopEvent, Recorded } from '../../machines/events.ts';
import { iteration } from '../../machines/iteration.machine.ts';
import { turn } from '../../machines/turn.machine.ts';
import { begin, type Effect, step } from '../../src/kernel/step.ts';
import * as has from '../support/facts.ts';
import { timeAt } from '../support/given.ts';
import { iterationPlaces, turnPlaces, wayTo } from '../support/places.ts';

/** Under which id each effect is known, who performs it, and which references it is given. */
const ofEveryLoop = {
  deadline: 'timer {"timer":"deadline"}',
  grace: 'timer {"timer":"grace"}',
  ending: 'timer {"timer":"ending"}',
  judge: 'judge {}',
  capture: 'captureWorkspace {}',
  checks: 'verifyWork {}',
  groundsRuling: 'askAboutGrounds {}',
  summary: 'summarise {"purpose":"ending"}',
  strategy: 'endStrategy {}',
};
/** The checks on the base are known under the id of the checks. */
const baseline = 'checks: takeBaseline {}';
const ofTurns = {
  model: 'streamModel {}',
  retry: 'timer {"timer":"retry"}',
  compaction: 'summarise {"purpose":"compaction"}',
  admission: 'admitCalls {}',
  'call.0.0': 'runTool {"callId":"0.0"}',
  'call.0.1': 'askPerson {"callId":"0.1"}',
};

test.each([
  [
    'turn',
    turn,
    { ...turnPlaces, mixed: [...wayTo(turnPlaces, 'tools.admitting'), has.callsAdmitted('0.0', '0.1?')] },
    ofTurns,
  ],
  ['iteration', iteration, iterationPlaces, { agent: 'runAgent {}' }],
] as const)('%s starts these effects, by these names, and no others', (_name, machine, places, own) => {
  const { 'tools.running': _tools, 'tools.awaitingPerson': _persons, ...rest } = places as typeof turnPlaces;
  const histories = [...Object.values(rest), [...wayTo(places, 'decide.judging'), has.resumed()]];
  const effects = histories.flatMap((history) => startedBy(machine, history));
  const asked = effects.map(({ key, actor, input }) => [key, `${actor} ${JSON.stringify(input)}`] as const);
  expect(new Set(asked.map((one) => one.join(': ')))).toEqual(
    new Set([baseline, ...Object.entries({ ...ofEveryLoop, ...own }).map((one) => one.join(': '))]),
  );
});

function startedBy(machine: typeof turn | typeof iteration, [opening, ...history]: readonly LoopEvent[]) {
  const recorded = <Event extends LoopEvent>(event: Event, version: number) => ({ ...event, version, at: timeAt(0) });
  let now = begin(machine, recorded(opening as EventOf<'run.started'>, 1) as Recorded<EventOf<'run.started'>>);
  const effects: Effect[] = [...now.effects];
  for (const [index, event] of history.entries()) {
    now = step(machine, now.snapshot, recorded(event, index + 2));
    effects.push(...now.effects);
  }
  return effects.flatMap((effect) => (effect.kind === 'start' ? [effect] : []));
}
