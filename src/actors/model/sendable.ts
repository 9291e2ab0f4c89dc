/** Why nothing can be sent to an address, or null. Does not repeat it: it may hold a password. */
export function addressFault(address: string): string | null {
  const url = URL.parse(address);
  if (!url || !/^https?:$/.test(url.protocol)) return 'is no URL that begins with http:// or https://';
  return url.username + url.password === ''
    ? null
    : 'holds a user name or a password: say them in providers, under headers';
}

/** Whether a text can be sent as a key: what is copied with a line end or a letter of another alphabet cannot. */
export const isSendableKey = (key: string): boolean => /^[\x21-\x7E]+$/.test(key);

/** The first header that cannot be sent, or null. Does not say its value: it may be a key. */
export function oddHeader(headers: { readonly [name: string]: string }): string | null {
  return Object.keys(headers).find((name) => !isSendable(name, headers[name] ?? '')) ?? null;
}

function isSendable(name: string, value: string): boolean {
  try {
    return new Headers([[name, value]]).has(name);
  } catch {
    return false;
  }
}
