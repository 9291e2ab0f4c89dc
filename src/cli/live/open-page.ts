import { join } from 'node:path';
import { z } from 'zod';
import { PrivateRecord } from '../../config/private-record.ts';
import { userFolder } from '../../config/places.ts';

const Page = z.strictObject({ port: z.int().positive(), pid: z.int().positive() });
type Page = z.infer<typeof Page>;

/** More pages than a person has open at once. */
const MAX_PAGES = 100;

const pages = () => new PrivateRecord(join(userFolder(process.env), 'pages.json'), z.record(z.string(), Page));

/** Notes that this process shows a log as a page. It is no key: a browser enters by an address that was printed. */
export async function notePage(store: string, port: number, pid = process.pid): Promise<void> {
  await pages().update((known) => {
    const others = Object.entries(known).filter(([log, page]) => log !== store && isAlive(page));
    return Object.fromEntries([...others.slice(-MAX_PAGES), [store, { port, pid }]]);
  });
}

/** The address of a run on a page that is open on its log. Null: none is. */
export async function pageOfRun(store: string, run: string): Promise<string | null> {
  const page = (await pages().entries())[store];
  return page && isAlive(page) ? `http://127.0.0.1:${page.port}/#/run/${run}/chart` : null;
}

function isAlive({ pid }: Page): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
