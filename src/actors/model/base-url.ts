import type { Wire } from './providers.ts';

/** What follows the version in the address of a call: some people paste the whole of it. */
const ENDPOINTS = /\/(chat\/completions|responses|messages)$/;
const VERSION = /\/v\d+(beta|alpha)?\d*$/;

/**
 * The address before `/chat/completions`, `/responses`, `/messages` or `/models`, whether a person wrote the version or
 * not. Anthropic's own tools append `/v1` to any path, the others only to an empty one.
 */
export function versionedUrl(given: string, wire: Wire): string {
  const url = given.trim().replace(/\/+$/, '').replace(ENDPOINTS, '').replace(/\/+$/, '');
  if (VERSION.test(url)) return url;
  const hasPath = /^https?:\/\/[^/]+\/./.test(url);
  if (wire === 'google') return hasPath ? url : `${url}/v1beta`;
  return hasPath && wire !== 'anthropic' ? url : `${url}/v1`;
}

const OLLAMA_PORT = '11434';
const USUAL_PORTS: ReadonlyMap<string, string> = new Map([
  ['http://', '80'],
  ['https://', '443'],
]);

/** `OLLAMA_HOST` as its own server reads it: a host, a port, or both, with or without `http://`. */
export function ollamaUrl(said: string): string {
  const [, scheme, host = '', port, path = ''] = /^(https?:\/\/)?([^:/]*)(?::(\d+))?(\/.*)?$/.exec(said) ?? [];
  if (host === '' && port === undefined) return said;
  const reachable = host === '' || host === '0.0.0.0' ? '127.0.0.1' : host;
  const place = port ?? USUAL_PORTS.get(scheme ?? '') ?? OLLAMA_PORT;
  return `${scheme ?? 'http://'}${reachable}:${place}${path}`;
}
