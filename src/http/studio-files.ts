import type { OpenAPIHono } from '@hono/zod-openapi';
import { readdir, readFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ApiEnv } from './api-app.ts';

/** Where the build puts the page: in the package, and in a clone that was built. */
const PLACES = ['../../studio/', '../../dist/studio/'].map((place) => fileURLToPath(new URL(place, import.meta.url)));

const TYPES: { readonly [extension: string]: string } = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};

/** The files of the page by their names. Null: it was not built. */
export async function studioFiles(places: readonly string[] = PLACES): Promise<ReadonlyMap<string, Buffer> | null> {
  for (const place of places) {
    const names: readonly string[] = await readdir(place).catch(() => []);
    if (!names.includes('index.html')) continue;
    const files = names.filter((name) => extname(name) in TYPES);
    return new Map(await Promise.all(files.map(async (name) => [name, await readFile(join(place, name))] as const)));
  }
  return null;
}

/** Serves the page at `/`, and its files beside. */
export function addStudio(app: OpenAPIHono<ApiEnv>, files: ReadonlyMap<string, Buffer>): void {
  for (const [name, bytes] of files) {
    const headers = { 'content-type': TYPES[extname(name)] ?? '' };
    const body = new Uint8Array(bytes);
    app.get(name === 'index.html' ? '/' : `/${name}`, (c) => c.body(body, 200, headers));
  }
}
