/** The system's code of an error, such as `ENOENT`; null for an error without one. */
export const errorCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error && error.code != null ? String(error.code) : null;
