import type { DiscoverySource } from '../../../../machines/improvement-facts.ts';
import type { LoopEvent } from '../../../../machines/events.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { listFiles } from '../../../actors/workspace/listed-files.ts';
import { fileIn } from '../../../loops/improvement/discovery/file-in.ts';
import type { Found } from '../../../loops/improvement/discovery/found.ts';
import { gathered } from '../../../loops/improvement/discovery/gathered.ts';
import type { ImprovementMemory } from '../../../loops/improvement/memory.ts';
import { totalUsage } from '../../../loops/improvement/total-usage.ts';
import { askModel } from '../effects/ask-model.ts';
import { repeatableExecution } from '../effects/execution.ts';
import type { EffectRequest, LocalEffect } from '../effects/local-effect.ts';
import type { Services as AllServices } from '../services.ts';
import { chosenSources } from './sources/source-list.ts';
import { faultyFinds, type Finds, type Looking, type Source } from './sources/source.ts';

type Services = Pick<AllServices, 'ask' | 'cheapestOf' | 'earlierErrors'>;

const MAX_FAULT_CHARS = 2_000;

/**
 * Asks every source of the run what could be better, one after the other: a benchmark measures nothing while something
 * else runs. It changes nothing, so it may be started again.
 */
export const discover = (services: Services): LocalEffect => ({
  execute: (request) =>
    repeatableExecution(async function* (call) {
      const own = request.memory.judge.own as ImprovementMemory;
      const { phases } = own.options;
      const sources = chosenSources(phases);
      const all: { readonly source: DiscoverySource; readonly finds: Finds }[] = [];
      const found: Found[] = [];
      const looking = lookingFor(request, services, call, found);
      for (const source of sources) {
        if (call.signal.aborted) break;
        const finds = await findsOf(source, looking);
        found.push(...finds.items);
        all.push({ source: source.name, finds });
      }
      const usage = totalUsage(all.map(({ finds }) => finds.usage));
      const used = usage ? { usage } : {};
      if (call.signal.aborted) {
        yield { type: 'discovery.interrupted', payload: { reason: String(call.signal.reason), ...used } };
        return;
      }
      yield {
        type: 'discovery.completed',
        payload: {
          ...listed(gathered(found, own.known())),
          sources: all.map(({ source, finds: { items, fault } }) => ({
            source,
            found: items.length,
            ...(fault ? { fault } : {}),
          })),
          canChange: sources.some((source) => source.canChange(phases)),
          ...used,
        },
      } satisfies LoopEvent;
    }),
});

const listed = ({ discoveries, ...counts }: ReturnType<typeof gathered>) => ({
  discoveries: [...discoveries],
  ...counts,
});

/** What a source throws is its fault. */
async function findsOf(source: Source, of: Looking): Promise<Finds> {
  try {
    return await source.find(of);
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return faultyFinds('source_failed', message.slice(0, MAX_FAULT_CHARS).toWellFormed());
  }
}

function lookingFor(request: EffectRequest, services: Services, call: EffectCall, found: readonly Found[]): Looking {
  const { context, memory } = request;
  const { run } = context;
  const { settings } = memory;
  const own = memory.judge.own as ImprovementMemory;
  let listing: Promise<readonly string[]> | null = null;
  const files = () =>
    (listing ??= listFiles({ directory: settings.directory, signal: call.signal }).then((all) => all.files));
  return {
    run,
    settings,
    options: own.options.phases,
    baseline: memory.baseline,
    files,
    fileIn: async () => fileIn(await files()),
    earlierErrors: () => services.earlierErrors(run, settings),
    found,
    tried: own.tried,
    ask: async (prompt) => {
      const chosen = own.options.phases.discovery.model ?? (await services.cheapestOf(settings.model));
      const question = { prompt, ...(chosen === null ? {} : { model: chosen }) };
      return askModel(question, request, services, call);
    },
    signal: call.signal,
  };
}
