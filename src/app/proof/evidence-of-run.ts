import { judgedEvidence, type JudgedEvidence, type RecordedEvidence } from '../../evidence/judge-evidence.ts';
import { readableFacts } from '../../projections/read-summary.ts';
import { readSettings } from '../../runtime/read-settings.ts';
import type { AppHost } from '../app-host.ts';

/** A run as it was called then, and as it would be today. */
export type RunEvidence = JudgedEvidence & {
  readonly run: string;
  /** The ending that it has, and the grade that it got. Null: it has not ended; it got none. */
  readonly recorded: { readonly ending: string | null; readonly grade: string | null };
};

/** Reads what the evidence of a run rests on, and judges that. Null: its start cannot be read. */
export async function runEvidence(
  { log, definitions }: Pick<AppHost, 'log' | 'definitions'>,
  run: string,
): Promise<RunEvidence | null> {
  const settings = await readSettings(log, run);
  if (settings === null) return null;
  const verifications = new Map<number, NonNullable<RecordedEvidence['verification']>>();
  let outcome: RecordedEvidence['outcome'] = null;
  for await (const fact of readableFacts(log, run, definitions)) {
    if (fact.type === 'verification.completed') verifications.set(fact.version, fact.payload);
    if (fact.type === 'decision.made') outcome = fact.payload.sink ?? null;
  }
  const verified = outcome?.ending === 'success' ? outcome.verified : null;
  const verification = verified ? (verifications.get(verified.version) ?? null) : null;
  const recorded = { ending: outcome?.ending ?? null, grade: verified?.grade ?? null };
  return { run, recorded, ...judgedEvidence({ settings, outcome, verification }) };
}
