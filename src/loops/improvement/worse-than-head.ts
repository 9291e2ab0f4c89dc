import type { EventOf } from '../../../machines/events.ts';
import { type MissedTest, compareTests } from '../../evidence/compare-tests.ts';
import { basedOn } from '../../evidence/base-tests.ts';
import { knownFlickering, withoutFlickering } from '../../evidence/flickering.ts';

type Baseline = EventOf<'baseline.taken'>['payload'];

const MAX_NAMED = 5;

/**
 * What checks say on a new tree that they did not say on the head: a check that passed and fails, a test that passed
 * and fails, is skipped or is gone. Tests that flicker on either tree say nothing. Null: nothing is worse.
 *
 * @example
 * worseThanHead(memory.baseline, taken); // 'unit: adds > carries (failed)'
 */
export function worseThanHead(head: Baseline, now: Baseline): string | null {
  const flickering = [...knownFlickering(head), ...knownFlickering(now)];
  const [before, after] = [
    withoutFlickering(basedOn(head.tests), flickering),
    withoutFlickering(basedOn(now.tests), flickering),
  ];
  const lost = [...before].flatMap(([check, tests]) =>
    compareTests(tests, after.get(check) ?? null).lost.map((missed) => `${check}: ${named(missed)}`),
  );
  const failed = checksOf(head).flatMap(({ name, passed }) => {
    const again = checksOf(now).find((one) => one.name === name);
    if (!passed || again?.passed) return [];
    return isOnlyFlickering(name, now) || lost.some((text) => text.startsWith(`${name}: `)) ? [] : [`${name} failed`];
  });
  const heldOut = now.heldOut && head.heldOut && now.heldOut.failed > head.heldOut.failed ? ['held-out checks'] : [];
  const all = [...lost, ...failed, ...heldOut];
  if (all.length === 0) return null;
  const more = all.length > MAX_NAMED ? ` and ${all.length - MAX_NAMED} more` : '';
  return `${all.slice(0, MAX_NAMED).join('; ')}${more}`;
}

const named = ({ test: { file, name }, how }: MissedTest): string =>
  `${[file, name].filter((part) => part !== null && part !== '').join(' > ')} (${how})`;

const checksOf = ({ levels }: Baseline) => levels.flatMap(({ checks }) => checks);

/** A check of which every test that failed is known to flicker. */
function isOnlyFlickering(check: string, base: Baseline): boolean {
  const list = base.tests.find((one) => one.check === check);
  const steady = withoutFlickering(basedOn(base.tests), knownFlickering(base)).get(check);
  const isRed = ({ result }: { readonly result: string }) => result === 'failed';
  return Boolean(list?.complete && list.tests.some(isRed) && !steady?.tests.some(isRed));
}
