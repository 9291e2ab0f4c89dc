/** Enough for a reader of a finding, whatever the threshold is. */
const MAX_EVIDENCE = 50;

/** The newest ids, each once, with `id` appended. A threshold of 0 is off, and keeps but the newest. */
export const withEvidence = (evidence: readonly string[], id: string, keep: number): readonly string[] =>
  evidence.at(-1) === id ? evidence : [...evidence, id].slice(-Math.max(1, Math.min(keep, MAX_EVIDENCE)));
