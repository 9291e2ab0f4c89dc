/** Says what was left undone when the process ended with a status, and answers the one it has to end with. */
type Teller = (status: number) => number;

let innermost: Teller | null = null;

/**
 * Until the returned function is called, an end of this process is an early one: a module that was loaded ended it,
 * or there is nothing left to wait for. Whoever began last is asked; output has to be written synchronously.
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

/** Ends the process on purpose, once all is said. */
export function exitNow(status: number): never {
  innermost = null;
  process.exit(status);
}

function hear(status: number): void {
  if (innermost) process.exitCode = innermost(status);
}
