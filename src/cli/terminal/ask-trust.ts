import type { TrustAnswer } from '../../config/load-config.ts';
import { type Trusted, TrustLedger } from '../../config/trust-rules.ts';
import { isInsideCommand } from '../args/run-around.ts';
import { TRUST_VARIABLE } from '../../config/environment.ts';
import { amount, plain } from '../../projections/phrases.ts';
import { forgetTyped, readLine, isYes } from './question-lines.ts';
import type { Streams } from './output.ts';

export interface Asking {
  readonly streams: Streams;
  readonly userFolder: string;
  /** `--trust`: for this call, and not remembered. */
  readonly isTrusted: boolean;
  /** The verb can do without the file: skip it in place of asking. */
  readonly isOptional: boolean;
}

/** Tells whether a project's file may be read: trusted before, by `--trust`, by the environment, or on a terminal. */
export async function trustIn(file: Trusted, reason: string, asking: Asking): Promise<TrustAnswer> {
  if (asking.isTrusted) return 'read';
  const ledger = new TrustLedger(asking.userFolder);
  if ((await ledger.knows(file)) || (await isNamed(file))) return 'read';
  if (asking.isOptional) return 'skip';
  if (!process.stdin.isTTY || !asking.streams.err.isTerminal || (await isInsideCommand())) return 'refuse';
  if (!(await isAgreed(asking.streams, file, reason))) return 'refuse';
  await ledger.add(file).catch((error: NodeJS.ErrnoException) => {
    asking.streams.err.line(`warning: it will be asked again: ${ledger.path} cannot be written (${error.code})`);
  });
  return 'read';
}

const LEAST_DIGEST_CHARS = 32;
/** The digest by which a file is named in the environment. */
export const shortDigest = (sha256: string): string => sha256.slice(0, LEAST_DIGEST_CHARS);

/** Tells whether the environment names this file, as it is. In a command of a run no person has set it. */
async function isNamed({ sha256 }: Trusted): Promise<boolean> {
  const named = (process.env[TRUST_VARIABLE] ?? '').split(/[\s,]+/).filter((one) => one.length >= LEAST_DIGEST_CHARS);
  return named.some((digest) => sha256.startsWith(digest)) && !(await isInsideCommand());
}

/**
 * Trusts a file that the user has named, as it is now. In a command of a run no user has named it. Where the ledger
 * cannot be written, the user is asked later.
 */
export async function trustNamed(file: Trusted, userFolder: string): Promise<void> {
  if (await isInsideCommand()) return;
  await new TrustLedger(userFolder).add(file).catch(() => {});
}

async function isAgreed({ err }: Streams, { path, text }: Trusted, reason: string): Promise<boolean> {
  const lines = text.trimEnd().split('\n').length;
  err.line(`${plain(path)} (${amount(lines, 'line')}) has to be trusted: ${plain(reason)}.`);
  err.line('It then runs with your rights, as does every later change to it that you trust. Read it first.');
  await forgetTyped(process.stdin);
  err.prompt('Trust it as it is now? [y/N] ');
  const reply = await readLine(process.stdin, new AbortController().signal);
  err.prompted(reply.kind === 'line');
  return reply.kind === 'line' && isYes(reply.text);
}
