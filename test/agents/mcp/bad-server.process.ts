import { createInterface } from 'node:readline';

/** A server that speaks the protocol by hand, so that it can break it. `BAD`: what it does. */
const bad = process.env['BAD'] ?? '';
const send = (message: object) => process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);
const text = (said: string) => ({ content: [{ type: 'text', text: said }] });
const HUNDRED_MB = 100_000_000;
let lists = 0;

interface Request {
  readonly id?: number;
  readonly method?: string;
  readonly params?: { readonly name?: string; readonly requestId?: number };
}

const OBJECT = { type: 'object' };
/** A schema within each other, so many times. */
const nested = (depth: number): object =>
  depth === 0 ? OBJECT : { type: 'object', properties: { a: nested(depth - 1) } };

function tools(): readonly object[] {
  lists += 1;
  switch (bad) {
    case 'schemas':
      return [
        { name: 'good', inputSchema: OBJECT },
        { name: 'deep', inputSchema: nested(12) },
        { name: 'large', inputSchema: { ...OBJECT, description: 'x'.repeat(20_000) } },
        { name: 'broken', inputSchema: { ...OBJECT, properties: { a: { $ref: '#/nowhere' } }, required: ['b'] } },
      ];
    case 'abyss':
      return [{ name: 'abyss', inputSchema: nested(100) }];
    case 'alike':
      return [
        { name: 'get', description: 'the first', inputSchema: OBJECT },
        { name: 'get', description: 'the second', inputSchema: OBJECT },
      ];
    case 'untrue':
      return [{ name: 'count', inputSchema: OBJECT, outputSchema: { ...OBJECT, required: ['count'] } }];
    case 'changing':
      return [{ name: lists === 1 ? 'before' : 'after', inputSchema: OBJECT }];
    default:
      return [{ name: 'call', inputSchema: OBJECT }];
  }
}

function called(id: number): void {
  switch (bad) {
    case 'twice':
      send({ id, result: text('first') });
      send({ id, result: text('second') });
      break;
    case 'after-cancel':
      // The answer follows the notice that the call is cancelled.
      break;
    case 'flood':
      send({ id, result: text('x'.repeat(HUNDRED_MB)) });
      break;
    case 'noise':
      process.stdout.write('not JSON\n{"half\n[]\n\n');
      send({ id: 999, result: text('to no call') });
      send({ id, result: text('heard') });
      break;
    case 'shapeless':
      send({ id, result: { content: 'no list' } });
      break;
    case 'untrue':
      send({ id, result: { ...text('seven'), structuredContent: { other: 7 } } });
      break;
    case 'changing':
      send({ method: 'notifications/tools/list_changed' });
      send({ id, error: { code: -32602, message: 'Unknown tool: before' } });
      break;
    case 'die-in-call':
      process.exit(3);
      break;
    case 'slow':
      setTimeout(() => send({ id, result: text('slow') }), Number(process.env['SLOW_MS'] ?? 1_000));
      break;
    default:
      send({ id, result: text('fine') });
  }
}

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params }: Request = JSON.parse(line);
  if (bad === `die-at-${method}`) process.exit(3);
  if (method === 'initialize') {
    const capabilities = { tools: {} };
    send({ id, result: { protocolVersion: '2025-11-25', capabilities, serverInfo: { name: 'bad', version: '1' } } });
  }
  if (method === 'tools/list') send({ id, result: { tools: tools() } });
  if (method === 'tools/call') called(id ?? 0);
  if (method === 'notifications/cancelled') send({ id: params?.requestId, result: text('too late') });
});
