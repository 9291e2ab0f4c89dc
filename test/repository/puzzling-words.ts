/** A word or phrase that readers have to translate, and what to write in its place. */
export interface OffendingWord {
  readonly pattern: RegExp;
  readonly instead: string;
}

const word = (alternatives: string, instead: string): OffendingWord => ({
  pattern: new RegExp(`\\b(?:${alternatives.replaceAll(' ', '\\s+')})\\b`, 'gi'),
  instead,
});

/** The dialect that this project once spoke. The subject of a sentence is a thing that exists in the code. */
export const offendingWords: readonly OffendingWord[] = [
  word(
    'nobody|no one|somebody|anybody|everybody|whoever|whomever|whom|who asks',
    'the thing: the process, the caller, the run, the user, the model',
  ),
  word('cast|casts|casting|troupe|playhouse|theatre|audience', 'effect handlers, services, test harness'),
  word('letters?(?= (?:is|are|that|to|from|in)\\b)|mailbox’s verdict', 'message, post result'),
  word('heard|hears|hear of|hear about|tell heard', 'received, is told, learns'),
  word('footprints?', 'position, coverage, trace'),
  word('lookout', 'detector set'),
  word('last word|last words|(?<![.])farewell', 'final event, last result'),
  word('unserved', 'unowned, without an owner'),
  word('serves? (?:the|a|it|this|that) (?:run|tree|loop)s?|serves? (?:it|them)|served by', 'own, run'),
  word(
    'taken up|takes? (?:it|a run|the run|runs) up|taking up|taken over again|gone on with|goes on with|moving on|moves? on|moved on',
    'resumed, continued, migrated',
  ),
  word('(?<!detector )chants?|chanting', 'repetition'),
  word('wandering|wanders?|made by chance|by chance|chance makes|of chance', 'random walk, random, by seed'),
  word(
    'giver|givers|handed over|hands? over|handing over|hand over|hands (?:it|work|a piece) on|hand(?:ed)? on',
    'delegator, delegate, delegation',
  ),
  word('leave to (?:read|look|go)|has leave|given leave|gives leave', 'permission, approve'),
  word('(?<!there )(?:is|are|was|were) none', 'say the noun'),
  word('in the hands of|at its word|its own word|has its say|has the say|had its say|says? its say', 'plain words'),
  word(
    'the world(?= (?:is|to|for|does|has|answers|follow))|make the world|asking the world|waits for the world',
    'the outside: files, processes, models, people',
  ),
  word('what is not said|is not said|goes without saying|speaks for itself|say the same once more', 'plain words'),
  word('brought up to|comes? to nothing|came to nothing|leads? nowhere|led nowhere', 'plain words'),
  word('makes? way|gives? way|gave way|give way', 'yield, leave out, win'),
  word('be it|whichever way|whatever it is called|as far as there (?:is|are) any', 'plain words'),
];
