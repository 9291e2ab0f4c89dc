import { createReadStream } from 'node:fs';
import { usage } from '../pages/complaint.ts';

/** A longer text is a file given by mistake. */
const MAX_PROMPT_BYTES = 1_000_000;

/** The name of the argument, and the verb it was given to. */
interface Asked {
  readonly field: string;
  readonly verb: string;
}

const TASK: Asked = { field: 'PROMPT', verb: 'run' };
const HELP = ['run', '--help'];

export interface PromptSource {
  /** The argument; `-` is stdin. */
  readonly argument: string | undefined;
  readonly file: string | undefined;
  readonly stdin: NodeJS.ReadStream;
}

/** The task: from the argument, a file, or stdin. */
export async function readPrompt({ argument, file, stdin }: PromptSource): Promise<string> {
  if (argument !== undefined && file !== undefined) {
    throw usage('PROMPT', 'either PROMPT or --prompt-file', 'both', HELP);
  }
  if (file !== undefined) return textOf(createReadStream(file), `--prompt-file ${file}`, TASK);
  if (argument !== undefined && argument !== '-') return short(argument, Buffer.byteLength(argument), TASK);
  if (stdin.isTTY) throw usage('PROMPT', 'a task, --prompt-file FILE, or text piped in', 'nothing', HELP);
  return textOf(stdin, 'stdin', TASK);
}

/** A text that may be long: `-` is stdin. */
export const readText = async (argument: string, stdin: NodeJS.ReadStream, verb: string): Promise<string> =>
  argument === '-' ? textOf(stdin, 'stdin', { field: 'TEXT', verb }) : argument;

async function textOf(stream: AsyncIterable<Buffer>, name: string, asked: Asked): Promise<string> {
  const parts: Buffer[] = [];
  let bytes = 0;
  try {
    for await (const part of stream) {
      parts.push(part);
      bytes += part.length;
      if (bytes > MAX_PROMPT_BYTES) break;
    }
  } catch (error) {
    throw usage(name, 'a file that can be read', String((error as NodeJS.ErrnoException).code ?? error), [
      asked.verb,
      '--help',
    ]);
  }
  return short(decoded(Buffer.concat(parts), name, asked).trimEnd(), bytes, asked);
}

function decoded(bytes: Buffer, name: string, { verb }: Asked): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw usage(name, 'text in UTF-8', 'other bytes', [verb, '--help']);
  }
}

function short(text: string, bytes: number, { field, verb }: Asked): string {
  if (bytes <= MAX_PROMPT_BYTES) return text;
  throw usage(field, `at most ${MAX_PROMPT_BYTES} bytes; put the rest into a file for the agent`, 'more', [
    verb,
    '--help',
  ]);
}
