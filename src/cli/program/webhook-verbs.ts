import type { Command } from 'commander';
import { JSON_FLAG, type VerbParts, later } from './verb-parts.ts';

const deliver = later(async () => (await import('../verbs/deliver.ts')).deliver);

/** What runs report elsewhere. */
export function addWebhookVerbs({ session, ends, verb }: VerbParts): void {
  verb('deliver', 'deliver the reports to webhooks that are still owed, also those of ended runs')
    .option(...JSON_FLAG)
    .action((flags: { json?: boolean }, command: Command) => ends(deliver(session(command), flags)));
}
