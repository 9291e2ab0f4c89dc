import { ToolRefusal } from './refusal.ts';

/** What a tool that only a person can answer comes to where nobody asks one. */
export async function unanswered(): Promise<never> {
  throw new ToolRefusal('nobody_to_ask', 'nobody is there to be asked: decide yourself, and say what you assumed');
}
