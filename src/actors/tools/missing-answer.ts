import { ToolRefusal } from './confine.ts';

/** Fails a tool that only a user can answer, in hosts without a user to ask. */
export async function unanswered(): Promise<never> {
  throw new ToolRefusal('nobody_to_ask', 'no user can be asked here: decide yourself, and state what you assumed');
}
