import { open } from 'node:fs/promises';

const MAX_SHEBANG_BYTES = 256;
const SHEBANG = /^#!\s*(\S+)([^\n]*)/;
/** Options of `env`, and the variables that it sets. */
const NOT_A_PROGRAM = /^-|=/;

/**
 * What a script is run by: a path, or the name that `env` looks for, also after `-S` and variables. Null: it does not
 * say, or cannot be read.
 */
export async function shebangOf(file: string): Promise<string | null> {
  const opened = await open(file).catch(() => null);
  try {
    const { buffer, bytesRead } = (await opened?.read(Buffer.alloc(MAX_SHEBANG_BYTES), 0, MAX_SHEBANG_BYTES, 0)) ?? {};
    return interpreterIn(buffer?.toString('latin1', 0, bytesRead) ?? '');
  } catch {
    return null;
  } finally {
    await opened?.close();
  }
}

/**
 * The same of its first line.
 *
 * @example
 * interpreterIn('#!/usr/bin/env -S node --import ./x.js\n'); // 'node'
 */
export function interpreterIn(text: string): string | null {
  const [, program = '', rest = ''] = SHEBANG.exec(text) ?? [];
  if (program === '') return null;
  if (!program.endsWith('/env')) return program;
  return rest.split(/\s+/).find((word) => word !== '' && !NOT_A_PROGRAM.test(word)) ?? null;
}
