import type { WrittenCall, WrittenFormat } from './format.ts';
import { WRITTEN_FORMATS } from './formats.ts';

/** The end of an answer that is a block of calls. */
export interface Written {
  /** What stands before the block. */
  readonly before: string;
  /** The calls of the block; null where they cannot be read. */
  readonly calls: readonly WrittenCall[] | null;
  readonly format: WrittenFormat;
}

/** Of the places where a block of one format may begin, so many are tried. */
const MAX_OPENINGS = 10;
/** Tokens that some servers leave at the end of an answer. */
const END_TOKENS = ['<|im_end|>', '<|eot_id|>', '<|eom_id|>', '<|end|>', '</s>', '<｜end▁of▁sentence｜>'];

/**
 * Finds calls that an answer writes as text where a call through the API belongs: its whole end is a block of them, and
 * outside of a code fence. A text around a block names an offered tool; else it may speak of the format. Null: the
 * answer writes none.
 */
export function writtenCalls(answer: string, tools: readonly string[]): Written | null {
  const text = withoutEndTokens(answer);
  let broken: Written | null = null;
  for (const format of WRITTEN_FORMATS) {
    for (const { index } of [...text.matchAll(format.opening)].slice(0, MAX_OPENINGS)) {
      const before = text.slice(0, index).trimEnd();
      if (isInFence(before)) continue;
      const block = text.slice(index).trim();
      const calls = format.read(block);
      const isMeant = calls ? calls.some(({ tool }) => tools.includes(tool)) : names(block, tools);
      if (calls && (isMeant || (before === '' && format.mark !== 'none'))) return { before, calls, format };
      if (!calls && isBroken(block, format, before, isMeant)) broken ??= { before, calls, format };
    }
  }
  return broken;
}

/** A block that begins and ends as one, and cannot be read. */
function isBroken(block: string, { mark, closing }: WrittenFormat, before: string, isMeant: boolean): boolean {
  if (mark === 'none') return false;
  const isWhole = block.endsWith(closing) || (before === '' && !block.includes(closing));
  return mark === 'token' ? before === '' || isMeant : isWhole && (before === '' || isMeant);
}

const names = (block: string, tools: readonly string[]): boolean => tools.some((tool) => block.includes(tool));

const FENCE = /^[ \t]*```/gm;
const isInFence = (before: string): boolean => [...before.matchAll(FENCE)].length % 2 === 1;

function withoutEndTokens(answer: string): string {
  const text = answer.trimEnd();
  const token = END_TOKENS.find((end) => text.endsWith(end));
  return token === undefined ? text : withoutEndTokens(text.slice(0, -token.length));
}
