import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { IssueComment } from '../../src/triggers/issue-comment.ts';

type Reaction = number | 'drop';

/** A service that answers in this order, and then takes everything; and a comment there. */
async function commented(reactions: Reaction[]) {
  const taken: string[] = [];
  const server = createServer((request, answer) => {
    let body = '';
    request.on('data', (piece: Buffer) => (body += piece.toString()));
    request.on('end', () => {
      const reaction = reactions.shift() ?? 200;
      if (reaction === 'drop') return void request.socket.destroy();
      if (reaction === 200) taken.push(`${request.method} ${(JSON.parse(body) as { body: string }).body}`);
      answer.writeHead(reaction).end('{"id":7}');
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close().closeAllConnections());
  const api = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const event = { source: 'github', repository: 'a/b', issue: '1' } as const;
  const comment = new IssueComment({ event, api, token: 't' });
  const noted: string[] = [];
  const tell = async (text: string) => {
    comment.update(text, async (id) => void noted.push(id));
    return comment.written();
  };
  return { tell, taken, noted };
}

test('W5 a comment whose text a service was too busy to take is written a second later', async () => {
  const { tell, taken, noted } = await commented([503]);
  expect([await tell('started'), taken, noted]).toEqual([null, ['POST started'], ['7']]);
});

test('W5 a comment goes on after a refused text, and a change whose answer is lost is made again', async () => {
  const { tell, taken } = await commented([403]);
  expect(await tell('started')).toBe('github answered with 403');
  expect(await tell('ended')).toBeNull();
  const later = await commented([200, 'drop']);
  expect(await later.tell('started')).toBeNull();
  expect(await later.tell('on')).toBeNull();
  expect([taken, later.taken]).toEqual([['POST ended'], ['POST started', 'PATCH on']]);
});

test.each([
  ['drop', 'fetch failed'],
  [502, 'github answered with 502'],
] as const)('W5 a new comment that may have been written is not written again: %s', async (reaction, said) => {
  const { tell, taken } = await commented([reaction]);
  expect(await tell('started')).toContain(said);
  expect([await tell('ended'), taken]).toEqual([expect.stringContaining(said), []]);
});
