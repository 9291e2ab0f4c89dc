import { expect, test } from 'vitest';
import { localServices } from '../../../src/hosts/local/local-services.ts';
import { effectHandlers } from '../../../src/loops/find-handler.ts';
import { shippedLoops } from '../../../src/loops/index.ts';
import type { EffectRequest } from '../../../src/loops/shared/effect.ts';

const handlerOf = effectHandlers(localServices());
const started = shippedLoops.flatMap((loop) => Object.keys(loop.effects).map((actor) => ({ loop, actor })));
const requestOf = ({ loop, actor }: (typeof started)[number]) =>
  ({ effect: { actor }, memory: { loop } }) as unknown as EffectRequest;

test('every effect of a loop that ships is executed by its handler, or decided by its definition', () => {
  const idle = started.filter((one) => !handlerOf(requestOf(one)).execute && !one.loop.effects[one.actor]?.decide);
  expect(idle).toEqual([]);
});

test('a loop of your own that describes an effect of a loop that ships anew has its handler', () => {
  for (const { loop, actor } of started) {
    const { handler: _left, ...described } = loop.effects[actor] ?? { class: 'once', interrupted: null };
    const own = { loop: { ...loop, effects: { [actor]: described } }, actor };
    expect([actor, !handlerOf(requestOf(own)).execute]).toEqual([
      actor,
      !handlerOf(requestOf({ loop, actor })).execute,
    ]);
  }
});
