import type { CallToolResult } from '@modelcontextprotocol/client';
import { head } from '../../text/excerpt.ts';
import { isObject, textIn, within } from '../json-object.ts';

/** More is cut before anything else is done with it. */
const MAX_TEXT_CHARS = 1_000_000;
const MAX_BLOCKS = 1_000;

/** What a result says, as text: what is no text is named. Structured content stands where there is nothing else. */
export function textOfResult({
  content,
  structuredContent,
}: {
  readonly content: unknown;
  readonly structuredContent?: CallToolResult['structuredContent'];
}): string {
  const blocks = Array.isArray(content) ? content.slice(0, MAX_BLOCKS) : [];
  const said = blocks.map(blockText).filter((text) => text !== '');
  if (said.length === 0 && structuredContent !== undefined) said.push(JSON.stringify(structuredContent));
  return head(said.join('\n'), MAX_TEXT_CHARS);
}

function blockText(block: unknown): string {
  if (!isObject(block)) return '';
  switch (block['type']) {
    case 'text':
      return textIn(block['text']);
    case 'resource': {
      const resource = within(block, 'resource');
      return textIn(resource['text']) || `[${textIn(resource['uri'])}: no text]`;
    }
    case 'resource_link':
      return `[${textIn(block['uri'])}]`;
    case 'image':
    case 'audio':
      return `[${block['type']}, ${textIn(block['mimeType'])}, not shown]`;
    default:
      return '';
  }
}
