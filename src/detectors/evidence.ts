/** Whatever a threshold says: who reads a finding needs no more than these. */
const MAX_EVIDENCE = 50;

/** The newest ids, each once, with one more. */
export const withEvidence = (evidence: readonly string[], id: string, keep: number): readonly string[] =>
  evidence.at(-1) === id ? evidence : [...evidence, id].slice(-Math.min(keep, MAX_EVIDENCE));
