const BEGAN_AT = Date.UTC(2026, 2, 1, 12);

/** The time, so long after a run was started. Every run in a proof starts at the same time. */
export const clock = (ms: number): string => new Date(BEGAN_AT + ms).toISOString();
