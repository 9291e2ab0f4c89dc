import type { TrustAnswer } from '../../config/load-config.ts';
import type { Trusted } from '../../config/trust-rules.ts';
import { TrustLedger } from '../../config/trust-ledger.ts';
import { amount, plain } from '../../projections/phrases.ts';
import { forgetTyped } from './forget-typed.ts';
import type { Streams } from './output.ts';
import { isYes } from './question-lines.ts';
import { readLine } from './read-line.ts';

export interface Asking {
  readonly streams: Streams;
  readonly userFolder: string;
  /** `--trust`: for this call, and not remembered. */
  readonly isTrusted: boolean;
  /** The verb can do without the file: skip it in place of asking. */
  readonly isOptional: boolean;
}

/** Whether a project's file may be read: trusted before, by `--trust`, or by an answer on a terminal. */
export async function trustIn(file: Trusted, reason: string, asking: Asking): Promise<TrustAnswer> {
  if (asking.isTrusted) return 'read';
  const ledger = new TrustLedger(asking.userFolder);
  if (await ledger.knows(file)) return 'read';
  if (asking.isOptional) return 'skip';
  if (!process.stdin.isTTY || !asking.streams.err.isTerminal) return 'refuse';
  if (!(await isAgreed(asking.streams, file, reason))) return 'refuse';
  await ledger.add(file).catch((error: NodeJS.ErrnoException) => {
    asking.streams.err.line(`warning: it will be asked again: ${ledger.path} cannot be written (${error.code})`);
  });
  return 'read';
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
