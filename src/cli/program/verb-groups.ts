import { addChangeVerbs } from './change-verbs.ts';
import { addFleetVerbs } from './fleet-verbs.ts';
import { addDoorVerbs, addServingVerbs, addWebhookVerbs } from './service-verbs.ts';
import { addHousekeepingVerbs } from './housekeeping-verbs.ts';
import { addJudgingVerbs } from './judgement-verbs.ts';
import { addPeopleVerbs } from './people-verbs.ts';
import { addReadingVerbs } from './reading-verbs.ts';
import { addRunningVerbs } from './running-verbs.ts';
import type { VerbParts } from './verb-parts.ts';

/** In the order of the help. A new verb goes into the group that it belongs to, or into one of its own. */
export const GROUPS: readonly ((parts: VerbParts) => void)[] = [
  addRunningVerbs,
  addFleetVerbs,
  addPeopleVerbs,
  addReadingVerbs,
  addChangeVerbs,
  addJudgingVerbs,
  addServingVerbs,
  addHousekeepingVerbs,
  addWebhookVerbs,
  addDoorVerbs,
];
