const MAX_TITLE_CHARACTERS = 60;

/** A web page came where a model should answer: a proxy or a login is in the way, or the address is another one. */
export class PageInstead extends Error {
  override readonly name = 'PageInstead';

  constructor(url: string, page: string) {
    const title = /<title[^>]*>([^<]*)/i.exec(page)?.[1]?.replaceAll(/\s+/g, ' ').trim() ?? '';
    const named = title === '' ? '' : ` (“${title.slice(0, MAX_TITLE_CHARACTERS)}”)`;
    super(`${URL.parse(url)?.origin ?? 'its address'} answers with a web page${named}, and not as a model`);
  }
}

/** Passes an answer on unless it is a page, which ends with an error before anything is taken for an answer. */
export function refusingPages(url: string): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let begun = false;
  return new TransformStream({
    transform(piece, out) {
      const text = begun ? '' : new TextDecoder().decode(piece).trimStart();
      begun ||= text !== '';
      if (text.startsWith('<')) out.error(new PageInstead(url, text));
      else out.enqueue(piece);
    },
  });
}
