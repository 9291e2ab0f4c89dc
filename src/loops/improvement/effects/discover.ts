import type { DiscoverySource } from '../../../../machines/improvement-facts.ts';
import type { LoopEvent } from '../../../../machines/events.ts';
import type { EffectCall } from '../../../actors/actor.ts';
import { listFiles } from '../../../git/file-listing.ts';
import { fileIn, type Found } from '../discovery/finding-facts.ts';
import { gathered } from '../discovery/gather-findings.ts';
import { totalUsage } from '../total-usage.ts';
import { askModel } from '../../shared/effects/ask-model.ts';
import { repeatableExecution } from '../../shared/effects/execution.ts';
import type { Effect, EffectRequest, EffectWork } from '../../shared/effect.ts';
import { chosenSources } from './sources/source-list.ts';
import { faultyFinds, type Finds, type Looking, type Source } from './sources/source.ts';
import type { EffectServices } from '../../../ports/services.ts';
import { asking, memoryOf } from './improvement-request.ts';

type Services = Pick<EffectServices, 'ask' | 'cheapestOf' | 'earlierErrors'>;

const MAX_FAULT_CHARS = 2_000;

/**
 * Asks every source of the run what could be better, one after the other: a benchmark measures nothing while something
 * else runs. It changes nothing, so it may be started again.
 */
const discover = (services: Services): EffectWork => ({
  execute: (request) =>
    repeatableExecution(async function* (call) {
      const own = memoryOf(request);
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
  const own = memoryOf({ memory });
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

export const discovery: Effect = { ...asking('discovery.interrupted'), handler: discover };
