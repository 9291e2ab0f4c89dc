import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a program and a server, and cuts a connection when an answer comes: the question was dealt with. */
export interface Between {
  readonly url: (schema: string) => string;
  /** The next answer to an append is lost, with its connection. */
  readonly loseNext: () => void;
  readonly lost: () => number;
  readonly stop: () => Promise<void>;
}

/** What a question of this kind has in its bytes: the name of the prepared statement. */
const APPEND = 'append';

export async function losingAnswers(port: number): Promise<Between> {
  const open = new Set<Socket>();
  let [isLosing, lost] = [false, 0];
  const proxy = createServer((program) => {
    const server = connect(port, '127.0.0.1');
    let isAsked = false;
    for (const socket of [program, server]) {
      open.add(socket);
      socket.on('error', () => {});
      socket.on('close', () => {
        open.delete(socket);
        program.destroy();
        server.destroy();
      });
    }
    program.on('data', (bytes) => {
      isAsked ||= isLosing && bytes.includes(APPEND);
      server.write(bytes);
    });
    server.on('data', (bytes) => {
      if (!isAsked) return program.write(bytes);
      isLosing = false;
      lost += 1;
      return program.destroy();
    });
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const address = proxy.address();
  const own = typeof address === 'object' && address ? address.port : 0;
  return {
    url: (schema) => `postgres://loopfold@127.0.0.1:${own}/postgres?schema=${schema}`,
    loseNext: () => {
      isLosing = true;
    },
    lost: () => lost,
    stop: async () => {
      for (const socket of open) socket.destroy();
      proxy.close();
      await once(proxy, 'close');
    },
  };
}
