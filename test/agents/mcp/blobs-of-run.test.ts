import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { textOfResult } from '../../../src/agents/mcp/result-text.ts';
import { called, fake, saidBy, started } from './started.ts';

/** The text of a result, and the sizes of what was kept of it. */
function kept(content: readonly object[], place: (extension: string) => string | null = (it) => `/kept/1.${it}`) {
  const sizes: number[] = [];
  const text = textOfResult({ content }, ({ length }, extension) => {
    const path = place(extension);
    if (path !== null) sizes.push(length);
    return path;
  });
  return { text, sizes };
}
const base64 = (bytes: number) => Buffer.alloc(bytes, 'x').toString('base64');
const MIB = 1024 * 1024;

test('X10 a picture of a server is a file that the model is told the place of', async () => {
  const servers = await started([fake()]);
  const said = saidBy(await called(servers, 'fake__picture'));
  const path = /^\[image, image\/png, 2 bytes, in (?<path>\S+\.png)\]$/.exec(said)?.groups?.['path'] ?? '';
  expect(await readFile(path, 'utf8')).toBe('hi');
  expect(saidBy(await called(servers, 'fake__picture'))).toBe(said);
});

test('X10 sound and binary resources are kept, too, and named by what they are', () => {
  const sound = { type: 'audio', mimeType: 'audio/x-wav', data: base64(3) };
  const binary = { type: 'resource', resource: { uri: 'db://rows', mimeType: 'application/vnd.x+y', blob: base64(4) } };
  expect(kept([{ type: 'text', text: 'Here:' }, sound, binary])).toEqual({
    text: [
      'Here:',
      '[audio, audio/x-wav, 3 bytes, in /kept/1.wav]',
      '[db://rows, application/vnd.x+y, 4 bytes, in /kept/1.bin]',
    ].join('\n'),
    sizes: [3, 4],
  });
});

test('X10 what is kept of one result is bounded, and the rest is named', () => {
  const image = (bytes: number) => ({ type: 'image', mimeType: 'image/png', data: base64(bytes) });
  const large = kept([image(17 * MIB), image(15 * MIB), image(15 * MIB), image(15 * MIB), image(1)]);
  expect(large.sizes).toEqual([15 * MIB, 15 * MIB, 1]);
  expect(large.text.split('\n').map((line) => /more than|, in /.exec(line)?.[0])).toEqual([
    'more than',
    ', in ',
    ', in ',
    'more than',
    ', in ',
  ]);
  expect(kept(Array.from({ length: 25 }, () => image(1))).sizes).toHaveLength(20);
  expect(kept([image(0)]).text).toBe('[image, image/png, without content]');
  expect(kept([image(5)], () => null).text).toBe('[image, image/png, 5 bytes: it could not be kept]');
});
