import type { Finding } from '../../machines/outcome.ts';
import type { Refusal } from './detector.ts';

type Found = Omit<Finding, 'level' | 'evidence' | 'calls'> & { readonly evidence: readonly string[] };

/** What is reported of a count that has come to no rung: that a refusal no longer stands, where it has begun anew. */
export const begunAnew = (count: number, before: number): { readonly finding?: Finding; readonly refusal?: null } =>
  count < before ? { refusal: null } : {};

/** What a detector reports that has come to a rung. `like`: the calls that go on like before. */
export function noticedAt(
  rung: 'nudge' | 'refuse' | 'stop',
  found: Found,
  { actions = [], tools = [] }: Partial<Pick<Refusal, 'actions' | 'tools'>>,
): { readonly finding?: Finding; readonly refusal?: Refusal } {
  const finding: Finding = { ...found, level: rung === 'refuse' ? 'block' : rung, evidence: [...found.evidence] };
  return rung === 'refuse' ? { refusal: { finding, actions, tools } } : { finding };
}
