import type { LoopEvent } from '../../../machines/events.ts';
import { notIntegrated } from '../../loops/improvement/night-facts.ts';
import { nightOptions, type Plan } from './plan.ts';
import { aroundHandlers, appendsAgain, type PlantedBug } from './planting.ts';

const asNight = (drawn: Plan): Plan => ({
  ...drawn,
  options: { ...drawn.options, loop: 'improvement', options: nightOptions(2) },
});

export const plantedNightBugs: Readonly<Record<string, PlantedBug>> = {
  'a candidate is evaluated twice': {
    found: /was evaluated twice/,
    seams: { plan: asNight, aroundLog: appendsAgain('evaluation.completed') },
  },

  'a commit that was made counts as taken back': {
    found: /the branch has the commits .* and its run tells of/,
    seams: {
      plan: asNight,
      aroundHandlers: aroundHandlers((handlers) => ({
        execute: (effect, context) => {
          const execution = handlers.execute(effect, context);
          if (execution.kind !== 'actor' || effect.actor !== 'integrateCandidate') return execution;
          return { ...execution, execute: (call) => forgettingCommits(execution.execute(call)) };
        },
      })),
    },
  },
};

async function* forgettingCommits(events: AsyncIterable<LoopEvent>): AsyncIterable<LoopEvent> {
  for await (const event of events)
    yield event.type === 'integration.completed' ? notIntegrated(event.payload.candidate) : event;
}
