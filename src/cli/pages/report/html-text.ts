import { plain } from '../../../text/plain.ts';

const ENTITIES: Readonly<Record<string, string>> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };

/** A text as it stands in HTML and SVG, in elements and in attributes. */
export const escaped = (text: string): string =>
  plain(text).replace(/[&<>"]/g, (character) => ENTITIES[character] ?? character);
