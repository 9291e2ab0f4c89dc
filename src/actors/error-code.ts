/** What the system calls an error: `ENOENT`. Null: it is none of the system's. */
export const errorCode = (error: unknown): string | null =>
  error instanceof Error && 'code' in error ? String(error.code) : null;
