import { createHash } from 'node:crypto';

// The name of an object is the hash of its content, but git does not compute it again when it reads one: what any
// process of the user can write into a repository's objects is taken for what its name says.

const FORMATS = new Map([
  [40, 'sha1'],
  [64, 'sha256'],
]);

/** The format of the hashes of a repository, by one of them. */
export const formatOf = (hash: string): string => FORMATS.get(hash.length) ?? 'sha1';

/** The name of an object with this content. */
export const objectHash = (kind: 'blob' | 'tree' | 'commit', content: Uint8Array, format: string): string =>
  createHash(format).update(`${kind} ${content.length}\0`).update(content).digest('hex');
