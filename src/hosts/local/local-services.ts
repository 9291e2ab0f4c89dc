import { type Clock, systemClock } from '../../actors/timer/clock.ts';
import { noAgents } from '../../ports/agents.ts';
import type { ConversationSource } from '../../app/records/earlier-conversations.ts';
import type { Services } from '../../ports/services.ts';
import { imagesIn } from '../../app/records/earlier-images.ts';
import { openedSettings } from '../../app/opening/settings-of-opening.ts';
import { actorServices } from './services/actor-services.ts';
import { detectorServices } from './services/detector-services.ts';
import { modelServices } from './services/model-services.ts';
import { recordServices } from './services/record-services.ts';
import { strategyServices } from './services/strategy-services.ts';
import type { ServiceOptions } from './service-options.ts';
import { toolServices } from './services/tool-services.ts';
import { workspaceServices } from './services/workspace-services.ts';

export function localServices(options: ServiceOptions = {}, source: ConversationSource | null = null): Services {
  const { agents = noAgents } = options;
  const clock = clockOf(options);
  const tools = toolServices(options.tools);
  return {
    ...modelServices(options, clock, source ? imagesIn(source) : undefined),
    ...tools,
    ...detectorServices(tools.traits, options),
    ...strategyServices(options.strategies, options.strategyLimitMs),
    ...actorServices(clock, source?.log.store ?? null, options.captures),
    ...recordServices(source),
    ...workspaceServices,
    agents,
    batch: options.batch ?? null,
    clock,
    opened: (settings) => openedSettings(settings, { ...tools, isProven: false, clock }),
  };
}

const clockOf = ({ clock }: ServiceOptions): Clock =>
  clock === undefined ? systemClock : { monotonic: () => clock.now(), ...clock };
