/** Reports what was left undone when the process exits with a status, and returns the status to exit with. */
type Teller = (status: number) => number;

let innermost: Teller | null = null;

/**
 * Until the returned function is called, an exit of this process is an early one: a loaded module called exit, or no
 * work is left to wait for. The newest teller is called; it has to write synchronously.
 */
export function onEarlyExit(teller: Teller): () => void {
  const outer = innermost;
  innermost = teller;
  if (!outer) process.on('exit', hear);
  return () => {
    innermost = outer;
    if (!outer) process.off('exit', hear);
  };
}

/** Ends the process on purpose, after all output. */
export function exitNow(status: number): never {
  innermost = null;
  process.exit(status);
}

function hear(status: number): void {
  if (innermost) process.exitCode = innermost(status);
}
