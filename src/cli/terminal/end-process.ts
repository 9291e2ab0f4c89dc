/**
 * Ends the process with its status once both streams are flushed. A timer or a socket that a loaded module has left
 * open would keep it alive for ever.
 */
export async function endProcess(status: number): Promise<never> {
  await Promise.all([process.stdout, process.stderr].map(flushed));
  process.exit(status);
}

/** A stream whose reader has gone calls back as well, with an error that changes nothing. */
const flushed = (stream: NodeJS.WriteStream): Promise<void> =>
  new Promise((resolve) => stream.write('', () => resolve()));
