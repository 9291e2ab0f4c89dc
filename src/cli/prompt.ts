import { createReadStream } from 'node:fs';
import { usage } from './complaint.ts';

/** A task longer than this is not one. */
const MAX_PROMPT_BYTES = 1_000_000;
const HELP = ['run', '--help'];

export interface PromptSource {
  /** The argument; `-` is stdin. */
  readonly argument: string | undefined;
  readonly file: string | undefined;
  readonly stdin: NodeJS.ReadStream;
}

/** The task, from where it was given: the argument, a file, or what is piped in. */
export async function readPrompt({ argument, file, stdin }: PromptSource): Promise<string> {
  if (argument !== undefined && file !== undefined) {
    throw usage('PROMPT', 'either PROMPT or --prompt-file', 'both', HELP);
  }
  if (file !== undefined) return textOf(createReadStream(file), `--prompt-file ${file}`);
  if (argument !== undefined && argument !== '-') return short(argument, Buffer.byteLength(argument));
  if (stdin.isTTY) throw usage('PROMPT', 'a task, --prompt-file FILE, or text piped in', 'nothing', HELP);
  return textOf(stdin, 'stdin');
}

/** A text that may be long: `-` is stdin. */
export const readText = async (argument: string, stdin: NodeJS.ReadStream): Promise<string> =>
  argument === '-' ? textOf(stdin, 'stdin') : argument;

async function textOf(stream: AsyncIterable<Buffer>, name: string): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of stream) {
      parts.push(part);
      bytes += part.length;
      if (bytes > MAX_PROMPT_BYTES) break;
    }
  } catch (error) {
    throw usage(name, 'a file that can be read', String((error as NodeJS.ErrnoException).code ?? error), HELP);
  }
  return short(decoded(Buffer.concat(parts), name).trimEnd(), bytes);
}

function decoded(bytes: Buffer, name: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usage(name, 'text in UTF-8', 'other bytes', HELP);
  }
}

function short(text: string, bytes: number): string {
  if (bytes <= MAX_PROMPT_BYTES) return text;
  throw usage('PROMPT', `at most ${MAX_PROMPT_BYTES} bytes; put the rest into a file for the agent`, 'more', HELP);
}
