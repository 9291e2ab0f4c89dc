import type { Envelope } from '../log/envelope.ts';
import type { Fact } from '../runtime/cast.ts';

/** An envelope as what it says. Everything in a log was parsed before it was appended. */
export const factOf = (envelope: Envelope): Fact => envelope as unknown as Fact;
