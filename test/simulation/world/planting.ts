import type { EffectHandlers } from '../../../src/kernel/effect-handlers.ts';
import type { Log } from '../../../src/log/log.ts';
import type { MakeHandlers } from '../../../src/runtime/make-handlers.ts';
import type { Seams } from './seams.ts';
import type { World } from './world.ts';

/** A bug that is planted in the world around the program, and what is found where it strikes. */
export interface PlantedBug {
  readonly seams: Seams;
  readonly found: RegExp;
}

export const aroundHandlers =
  (change: (handlers: EffectHandlers, ...about: Parameters<MakeHandlers>) => Partial<EffectHandlers>) =>
  (inner: MakeHandlers): MakeHandlers =>
  (...about) => {
    const handlers = inner(...about);
    return { ...handlers, ...change(handlers, ...about) };
  };

/** An answer of the log is lost on its way now and then, and the append is made again behind whatever is there. */
export const appendsAgain =
  (type: string) =>
  (log: Log, world: World): Log => ({
    ...log,
    append: async (request) => {
      const result = await log.append(request);
      const again = request.events.filter((event) => event.type === type);
      const last = result.kind === 'appended' ? result.envelopes.at(-1) : undefined;
      if (last && again.length > 0 && request.closes === undefined && world.drawn.chance.happens(0.1))
        await log.append({ ...request, events: again, expectedVersion: last.version, delivers: [] });
      return result;
    },
  });
