import { localHandlers } from '../../../src/hosts/local/local-handlers.ts';
import type { Services } from '../../../src/ports/services.ts';
import { localServices } from '../../../src/hosts/local/local-services.ts';
import type { EffectCall } from '../../../src/actors/actor.ts';
import { repeatableExecution } from '../../../src/loops/shared/effects/execution.ts';
import type { Execution } from '../../../src/kernel/effect-handlers.ts';
import type { Outstanding } from '../../../src/kernel/fold.ts';
import type { LoopEvent } from '../../../machines/events.ts';
import type { MakeHandlers } from '../../../src/runtime/make-handlers.ts';
import { note, tool, verifying } from '../../support/stand-ins.ts';
import type { Chance } from './chance.ts';
import type { DrawnWorld } from './drawn-world.ts';
import { TOOL_CLASSES } from './outside.ts';
import { SimulatedNight } from './simulated-night.ts';
import { simulatedWorkspaces } from './simulated-workspaces.ts';
import { type SimulatedProcess, thisSimulatedProcess } from './simulated-process.ts';

const offered = Object.keys(TOOL_CLASSES).map((name) => tool(name, note.run));
const local = localServices({ tools: offered, model: { name: 'none', answer: async () => ({ text: '' }) } });

export interface HandlersWorld extends Pick<DrawnWorld, 'chance' | 'plan' | 'outside' | 'branch'> {
  readonly begins: (call: EffectCall, effect: Outstanding, process: SimulatedProcess) => void;
}

/** The handlers of the local host, over a world without disk, network and processes. */
export function simulatedHandlers({ chance, plan, outside, branch, begins }: HandlersWorld): MakeHandlers {
  const { model } = localServices({ model: outside.model });
  const services: Services = {
    ...local,
    model,
    workspaces: simulatedWorkspaces,
    tools: () => outside.tools,
    verify: verifying(() => chance.happens(0.4)),
  };
  const phases = new SimulatedNight(plan.nightSeed, chance, branch);
  let captures = 0;
  const replaced = ({ actor, input }: Outstanding): LoopEvent | null => {
    switch (actor) {
      case 'captureWorkspace':
        captures += 1;
        return { type: 'workspace.captured', payload: { hash: `tree-${captures}`, ref: null, changed: [] } };
      case 'writeStateFile':
        return { type: 'state_file.written', payload: { digest: 'written', was: 'absent' } };
      case 'readStateFile':
        return input['purpose'] === 'glance'
          ? { type: 'state_file.revisited', payload: { edit: null } }
          : { type: 'state_file.kept', payload: { isMissing: false } };
      case 'closeStateFile':
        return { type: 'state_file.closed', payload: { digest: 'closed', reason: 'over' } };
      default:
        return null;
    }
  };
  return (run, settings, loop) => {
    const handlers = localHandlers(run, settings, loop, services);
    const night = settings.loop === 'improvement' ? phases.forRun() : null;
    return {
      ...handlers,
      observe: (fact, state) => {
        handlers.observe(fact, state);
        night?.observe(fact);
      },
      execute: (effect, context) => {
        const answer = replaced(effect);
        const own = answer ? answering(answer, chance) : night?.execution(effect, context);
        const execution = own ?? handlers.execute(effect, context);
        if (execution.kind === 'child') return execution;
        return {
          ...execution,
          execute: (call) => {
            begins(call, effect, thisSimulatedProcess());
            return plan.mixesResults ? mixed(execution.execute(call), chance) : execution.execute(call);
          },
        };
      },
    };
  };
}

const answering = (event: LoopEvent, chance: Chance): Execution =>
  repeatableExecution(async function* () {
    await thisSimulatedProcess().wait(event.type, chance.below(60));
    yield event;
  });

/** Results that come late, so that others overtake them, and now and then twice. */
async function* mixed(events: AsyncIterable<LoopEvent>, chance: Chance): AsyncGenerator<LoopEvent> {
  const process = thisSimulatedProcess();
  for await (const event of events) {
    if (chance.happens(0.3)) await process.wait('a late result', chance.below(1_500));
    yield event;
    if (chance.happens(0.2)) yield event;
  }
}
