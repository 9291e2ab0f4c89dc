const BEGAN_AT = Date.UTC(2026, 2, 1, 12);

/** The time so many milliseconds after the start of a run. Every run in a proof starts at the same time. */
export const timeAt = (ms: number): string => new Date(BEGAN_AT + ms).toISOString();
