import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { z } from 'zod';
import { root } from '../repository/tool.ts';

const Lock = z.object({ packages: z.record(z.string(), z.object({ version: z.string().optional() })) });
const Manifest = z.looseObject({ name: z.string(), version: z.string() });
type Held = z.infer<typeof Manifest> & { readonly folder: string };

/**
 * A package registry on loopback that has what is installed here and nothing else, so that an installation from nothing
 * is real, and needs no network.
 */
export async function registry() {
  const shelf = mkdtempSync(join(tmpdir(), 'loopfold-registry-'));
  const held = holdings();
  const server = createServer((request, response) => {
    const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    const path = decodeURIComponent(request.url ?? '').slice(1);
    const [name = '', version] = path.split('/-/');
    const known = held.filter((one) => one.name === name && (version === undefined || one.version === version));
    const [first] = known;
    if (!first) return void response.writeHead(404).end('{}');
    if (version !== undefined) {
      const broken = (error: unknown): void => void response.destroy(error instanceof Error ? error : undefined);
      return void tarballOf(first, shelf).then((bytes) => response.end(bytes), broken);
    }
    const versions = known.map(({ folder: _folder, ...manifest }) => [
      manifest.version,
      { ...manifest, dist: { tarball: `${address}/${encodeURIComponent(name)}/-/${manifest.version}` } },
    ]);
    response.setHeader('content-type', 'application/json');
    response.end(
      JSON.stringify({ name, 'dist-tags': { latest: first.version }, versions: Object.fromEntries(versions) }),
    );
  });
  // On a busy machine a reader is slow: a connection that waits for it is no idle one.
  server.keepAliveTimeout = 0;
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return {
    address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      server.closeAllConnections();
      server.close();
      rmSync(shelf, { recursive: true, force: true });
    },
  };
}

/** Every package below node_modules, in each version of it. */
function holdings(): readonly Held[] {
  const { packages } = Lock.parse(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')));
  return Object.keys(packages).flatMap((path) => {
    if (path === '') return [];
    const folder = join(root, path);
    try {
      return [{ ...Manifest.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))), folder }];
    } catch {
      // Made for another platform, and not here.
      return [];
    }
  });
}

/** A package as its registry would hand it out. What is nested in it is a package of its own. */
async function tarballOf({ folder, name, version }: Held, shelf: string): Promise<Buffer> {
  const file = join(shelf, `${encodeURIComponent(name)}-${version}.tar`);
  // Not compressed, which npm takes as well: it is packed for one reader on this machine.
  await promisify(execFile)('tar', [
    '-cf',
    file,
    '--exclude=./node_modules',
    '--transform=s,^[.],package,',
    '-C',
    folder,
    '.',
  ]);
  return readFile(file);
}
