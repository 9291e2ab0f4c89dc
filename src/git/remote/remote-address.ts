import { z } from 'zod';

const MAX_ADDRESS_CHARACTERS = 2_000;
const EXPECTED = 'the address of a git repository without a password, such as https://git.example/team/app.git';
/** No option, and no `ext::`, with which git would run a command. */
const SCHEMES = /^(?:https?|ssh|git|file):\/\/[^\s/]|^[\w.-]+@[\w.-]+:[^\s-]|^\/[^\s]/;
const PASSWORD = /^[a-z]+:\/\/[^/@]*:[^/@]*@/;

/** The address of a repository that git reaches with the credentials of its user: it holds none itself. */
export const RemoteAddress = z
  .string({ error: EXPECTED })
  .max(MAX_ADDRESS_CHARACTERS, { error: EXPECTED })
  .regex(SCHEMES, { error: EXPECTED })
  .refine((address) => !PASSWORD.test(address), { error: EXPECTED, abort: true });
export type RemoteAddress = z.infer<typeof RemoteAddress>;
