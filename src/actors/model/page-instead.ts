const MAX_TITLE_CHARACTERS = 60;

/** A web page came where a model should answer: a proxy or a login is in the way, or the address is another one. */
export class PageInstead extends Error {
  override readonly name = 'PageInstead';

  constructor(url: string, page: string) {
    const title = /<title[^<>]*>([^<]*)/i.exec(page)?.[1]?.replaceAll(/\s+/g, ' ').trim() ?? '';
    const named = title === '' ? '' : ` (“${title.slice(0, MAX_TITLE_CHARACTERS)}”)`;
    super(`${URL.parse(url)?.origin ?? 'its address'} answers with a web page${named}, and not as a model`);
  }
}
