export interface CommandRequest {
  /** Run by `/bin/sh -c`, in a process group of its own that never outlives the call. */
  readonly command: string;
  readonly directory: string;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
  /** Head and tail are kept, the middle is dropped and said to be. */
  readonly maxOutputBytes: number;
  readonly onOutput?: (text: string) => void;
}

export type CommandResult =
  /** `signal` is set where a signal nobody here sent ended it. */
  | { readonly kind: 'exited'; readonly exitCode: number | null; readonly signal: string | null; readonly output: string; readonly durationMs: number }
  | { readonly kind: 'timed_out' | 'stopped'; readonly output: string; readonly durationMs: number }
  | { readonly kind: 'not_started'; readonly message: string };
