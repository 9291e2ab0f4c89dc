import type { CallToolResult } from '@modelcontextprotocol/client';
import { head } from '../../text/excerpt.ts';
import { isObject, type JsonObject, textIn, within } from '../json-object.ts';

/** More is cut before anything else is done with it. */
const MAX_TEXT_CHARS = 1_000_000;
const MAX_BLOCKS = 1_000;

/** The most that is kept of the blobs of one result, and of one of them. */
const MAX_BLOB_BYTES = 16 * 1024 * 1024;
const MAX_BLOBS_BYTES = 32 * 1024 * 1024;
const MAX_BLOBS = 20;
const MAX_MEDIA_CHARS = 100;

/** Keeps a blob as a file. Returns its path, or null where it cannot be written. */
export type KeepBlob = (content: Buffer, extension: string) => string | null;

type Keep = (block: JsonObject, data: unknown, kind: string) => string;

/**
 * What a result says, as text: images, sound and other binary content are kept as files, and named. Structured content
 * stands where there is nothing else.
 */
export function textOfResult(
  {
    content,
    structuredContent,
  }: { readonly content: unknown; readonly structuredContent?: CallToolResult['structuredContent'] },
  keep: KeepBlob,
): string {
  const blocks = Array.isArray(content) ? content.slice(0, MAX_BLOCKS) : [];
  const kept = keeping(keep);
  const said = blocks.map((block) => blockText(block, kept)).filter((text) => text !== '');
  if (said.length === 0 && structuredContent !== undefined) said.push(JSON.stringify(structuredContent));
  return head(said.join('\n'), MAX_TEXT_CHARS);
}

function blockText(block: unknown, kept: Keep): string {
  if (!isObject(block)) return '';
  switch (block['type']) {
    case 'text':
      return textIn(block['text']);
    case 'resource': {
      const resource = within(block, 'resource');
      const name = textIn(resource['uri']);
      if (resource['blob'] !== undefined) return kept(resource, resource['blob'], name);
      return textIn(resource['text']) || `[${name}: no text]`;
    }
    case 'resource_link':
      return `[${textIn(block['uri'])}]`;
    case 'image':
    case 'audio':
      return kept(block, block['data'], block['type']);
    default:
      return '';
  }
}

/** Names what is binary, with the file that it is kept in, up to so many bytes of one result. */
function keeping(keep: KeepBlob): Keep {
  let [bytes, count] = [0, 0];
  return ({ mimeType }, data, kind) => {
    const media = head(textIn(mimeType) || 'no media type', MAX_MEDIA_CHARS);
    const named = (where: string) => `[${kind}, ${media}, ${where}]`;
    const content = Buffer.from(textIn(data), 'base64');
    const size = `${content.length} bytes`;
    if (content.length === 0) return named('without content');
    if (content.length > MAX_BLOB_BYTES) return named(`${size}: more than the ${MAX_BLOB_BYTES} that are kept`);
    if (bytes + content.length > MAX_BLOBS_BYTES || count === MAX_BLOBS)
      return named(
        `${size}: not kept, since the result has more than ${MAX_BLOBS} or ${MAX_BLOBS_BYTES} bytes of them`,
      );
    const path = keep(content, extensionOf(media));
    if (path === null) return named(`${size}: it could not be kept`);
    [bytes, count] = [bytes + content.length, count + 1];
    return named(`${size}, in ${path}`);
  };
}

/** `png` of `image/png`. */
const extensionOf = (media: string): string => /^\w+\/(?:x-)?(\w{1,8})$/.exec(media)?.[1] ?? 'bin';
