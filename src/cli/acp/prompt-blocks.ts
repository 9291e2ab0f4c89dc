import type { RunOptions } from '../../config/options.ts';
import { RequestFault } from '../../agents/acp/json-rpc.ts';
import { isObject, type JsonObject, textIn, within } from '../../agents/json-object.ts';

/** The code of JSON-RPC for parameters that do not fit. */
export const INVALID_PARAMS = -32_602;

/** A prompt as a run takes it. */
export type Prompt = Required<Pick<RunOptions, 'prompt'>> & Pick<RunOptions, 'images'>;

/**
 * The task that the blocks of a prompt are: texts, links to files by their address, files that were put in as text, and
 * images. Throws a `RequestFault` where there is no text, or a block of another kind.
 */
export function promptOf(blocks: readonly unknown[]): Prompt {
  const texts: string[] = [];
  const images: { data: string; name: string }[] = [];
  for (const block of blocks) {
    if (!isObject(block)) throw unfit('a block that is no object');
    switch (block['type']) {
      case 'text':
        texts.push(textIn(block['text']));
        break;
      case 'resource_link':
        texts.push(textIn(block['uri']));
        break;
      case 'resource':
        texts.push(fileText(within(block, 'resource')));
        break;
      case 'image':
        images.push({ data: textIn(block['data']), name: `image ${images.length + 1}` });
        break;
      default:
        throw unfit(`a block of type ${textIn(block['type'])}`);
    }
  }
  const prompt = texts.join('\n').trim();
  if (prompt === '') throw unfit('no text');
  return images.length === 0 ? { prompt } : { prompt, images };
}

/** The text of a file, between marks that no line of it can end. */
function fileText(resource: JsonObject): string {
  const [text, uri] = [textIn(resource['text']), textIn(resource['uri'])];
  if (text === '') return uri;
  const longest = Math.max(2, ...[...text.matchAll(/`+/g)].map(([marks]) => marks.length));
  const fence = '`'.repeat(longest + 1);
  return `${uri}\n${fence}\n${text}\n${fence}`;
}

const unfit = (found: string) =>
  new RequestFault(INVALID_PARAMS, `prompt: expected text, links, files as text and images, found ${found}`);
