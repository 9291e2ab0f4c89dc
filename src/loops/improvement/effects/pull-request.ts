import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { makeTemporaryFolder } from '../../../log/temporary-folders.ts';
import { runCommand } from '../../../actors/subprocess.ts';
import { git } from '../../../git/process/git.ts';
import { runRef, runRefs } from '../../../git/run-refs.ts';
import { tail } from '../../../text/excerpt.ts';
import type { IntegrationOrder } from './integration-order.ts';

const TIMEOUT_MS = 300_000;
const MAX_OUTPUT_BYTES = 64 * 1024;
const MAX_SHOWN_CHARS = 2_000;

interface WantedRequest {
  readonly command: string;
  readonly text: string;
  readonly branch: string;
  readonly commit: string;
}

/** What became of the command that opens a pull request. */
export type Opened =
  | { readonly kind: 'opened'; readonly said: string }
  | { readonly kind: 'failed'; readonly why: string };

/**
 * Runs the command that opens a pull request, in the folder that the run was given, with the text on its standard
 * input. It is run once for each commit: after a crash it is not known whether it has opened one. Never throws.
 */
export async function openRequest(
  { command, text, branch, commit }: WantedRequest,
  { run, settings, isolation, call }: IntegrationOrder,
  signal: AbortSignal,
): Promise<Opened> {
  const folder = await makeTemporaryFolder('request');
  try {
    if ((await runRefs(run, call)).get('request') === commit) return { kind: 'failed', why: interrupted(branch) };
    await git(['update-ref', runRef(run, 'request'), commit], call);
    const file = join(folder, 'request.md');
    await writeFile(file, text);
    const ran = await runCommand({
      run: null,
      command: `{ ${command}\n} <"$LOOPFOLD_REQUEST"`,
      directory: isolation.origin,
      environment: { LOOPFOLD_REQUEST: file, LOOPFOLD_BRANCH: branch, LOOPFOLD_COMMIT: commit },
      passes: settings.environment ?? [],
      timeoutMs: TIMEOUT_MS,
      signal,
      maxOutputBytes: MAX_OUTPUT_BYTES,
    });
    if (ran.kind === 'not_started') return { kind: 'failed', why: ran.message };
    const said = tail(ran.output.trim(), MAX_SHOWN_CHARS);
    if (ran.kind === 'exited' && ran.exitCode === 0) return { kind: 'opened', said };
    const how = ran.kind === 'exited' ? `it ended with ${ran.exitCode ?? ran.signal}` : `it was ${HOW[ran.kind]}`;
    return { kind: 'failed', why: said === '' ? how : `${how}: ${said}` };
  } catch (error) {
    return { kind: 'failed', why: error instanceof Error ? error.message : String(error) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const HOW = { timed_out: `stopped after ${TIMEOUT_MS / 1000} s`, stopped: 'told to stop' } as const;

const interrupted = (branch: string): string =>
  `its process was killed while it ran, so it may have opened a pull request for ${branch}: look, and open one yourself`;
