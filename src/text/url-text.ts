/**
 * A URL without its query, which may hold a key; of what is no URL, nothing.
 *
 * @example
 * shownUrl('https://one.example/hook?key=x'); // 'https://one.example/hook'
 */
export function shownUrl(url: string): string {
  if (!URL.canParse(url)) return 'an address that is no URL';
  const { origin, pathname } = new URL(url);
  return origin + pathname;
}
