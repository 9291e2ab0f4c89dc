import { localUser } from '../../app/people/local-user.ts';
import type { Person } from '../../http/api-host.ts';
import type { Session } from '../session.ts';
import { personHere } from './person-here.ts';

/** The person who opens the printed address: known where a terminal of their own has shown it. */
export async function personAt({ streams: { err }, directory }: Session): Promise<Person> {
  const here = await personHere({ err, input: process.stdin, directory });
  if (here) return { name: here.name, email: here.email, isKnown: true };
  return { ...(await localUser(directory)), isKnown: false };
}
