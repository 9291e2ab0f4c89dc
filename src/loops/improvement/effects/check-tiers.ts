import type { Baseline } from '../../../verification/work-proof.ts';
import type { Tier } from './candidate-tier.ts';
import type { CheckedCandidate } from './check-candidate.ts';
import type { Loss } from '../evaluation/head-losses.ts';

const MAX_LOSSES = 20;

/** What the checks said, level by level, up to the first that lost something; then what speaks against it besides. */
export function checkTiers(checked: CheckedCandidate, { levels: before }: Baseline): readonly (Tier & Took)[] {
  const { restored, whole, proof, refused } = checked;
  const ran = [restored, ...(whole ? [whole] : [])];
  const named = new Set(ran.flatMap((leg) => leg.ran.levels.map(({ level }) => level)));
  const tiers = [...named].toSorted().map((level) => {
    const own = (losses: readonly Loss[]) => losses.filter((loss) => loss.level === level);
    const [first, second] = [own(restored.lost), own(whole?.lost ?? [])];
    const results = ran.flatMap((leg) => leg.ran.levels.filter((one) => one.level === level));
    const flickered = [...new Set(ran.flatMap((leg) => own(leg.flickered).map(({ text }) => text)))];
    const passes = results.every(({ passed }) => passed);
    const wasRed = before.some((one) => one.level === level && !one.passed);
    const lost = [...first, ...second];
    return {
      tier: level,
      kind: 'check' as const,
      passed: lost.length === 0,
      detail: lost.length > 0 ? lostText(lost, first.length > 0 ? restoredNote(proof) : OWN) : heldText(passes, wasRed),
      ...(flickered.length > 0 ? { flickered } : {}),
      tookMs: results.flatMap(({ checks }) => checks).reduce((sum, { durationMs }) => sum + durationMs, 0),
    };
  });
  const last =
    refused === null ? [] : [{ tier: 'proof', kind: 'check' as const, passed: false, detail: refused, tookMs: 0 }];
  return [...tiers, ...last];
}

interface Took {
  readonly tookMs: number;
}

const heldText = (passes: boolean, wasRed: boolean): string => {
  if (passes) return wasRed ? 'passes, and failed on the head' : 'passes';
  return 'fails, as on the head: nothing is lost';
};

const OWN = 'with its own changes of tests or configuration';

/** No person is asked about changed grounds while the loop runs. */
function restoredNote({ groundsChanged, grounds }: CheckedCandidate['proof']): string | null {
  if (groundsChanged === 0) return null;
  const named = grounds.map(({ path }) => path).join(', ');
  return `with these as they are on the head, because its changes of them do not count: ${named}`;
}

function lostText(lost: readonly Loss[], note: string | null): string {
  const lines = lost.slice(0, MAX_LOSSES).map(({ text }) => text);
  const more = lost.length > lines.length ? [`and ${lost.length - lines.length} more`] : [];
  return [...(note === null ? [] : [note]), ...lines, ...more].join('\n');
}
