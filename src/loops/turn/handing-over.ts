import type { EventOf, ToolCall } from '../../../machines/events.ts';
import type { Life } from '../../../machines/life.ts';
import type { RunSettings } from '../../../machines/settings.ts';
import { REFUSED_BY_BUDGET } from '../../budget/admit.ts';
import { fairShares, leftIn, MAX_HANDOFF_LEVELS } from '../../budget/fair-shares.ts';

type Admission = EventOf<'calls.admitted'>['payload'];
type Admitted = Admission['run'][number];

const REFUSED_BY_NESTING = `refused: this work was handed on ${MAX_HANDOFF_LEVELS} times already, do it yourself`;

/** The one who hands work over, as its admission sees it. */
export interface Giver {
  readonly settings: RunSettings;
  readonly life: Pick<Life, 'limits' | 'spend' | 'reserved'>;
}

/**
 * The calls that may run, those that hand work over each with its share of what the run has left; and those that may not,
 * because nothing is left for them, or the work has come too far down already. Pure.
 */
export function withShares(
  calls: readonly ToolCall[],
  actorOf: (call: ToolCall) => Admitted['actor'],
  giver: Giver,
): Pick<Admission, 'run' | 'refused'> {
  const all = calls.map((call) => ({ call, actor: actorOf(call) }));
  const handed = all.filter(({ actor }) => actor === 'runAgent').map(({ call }) => call);
  const refusal = handoffLevel(giver.settings) >= MAX_HANDOFF_LEVELS ? REFUSED_BY_NESTING : REFUSED_BY_BUDGET;
  const shares = refusal === REFUSED_BY_NESTING ? [] : fairShares(leftIn(giver.life, calls.length), handed.map(wishOf));
  const run: Admitted[] = [];
  const refused: { callId: string; reason: string }[] = [];
  for (const { call, actor } of all) {
    const { callId } = call;
    const share = actor === 'runAgent' ? (shares[handed.indexOf(call)] ?? null) : undefined;
    if (share === null) refused.push({ callId, reason: refusal });
    else run.push({ callId, actor, ...(share ? { share } : {}) });
  }
  return { run, refused };
}

function wishOf({ arguments: given }: ToolCall): number | null {
  const wish: unknown = Reflect.get(Object(given), 'maxTokens');
  return Number.isSafeInteger(wish) && Number(wish) > 0 ? Number(wish) : null;
}

/** How often the work of a run was handed on before it came to it. */
const handoffLevel = ({ parent }: RunSettings): number => parent?.lineage?.length ?? 0;
