/** The layers: imports only point up this list. Folders of one line may import each other. */
const layers = [
  '^machines/',
  '^src/text/',
  '^src/options/',
  '^src/evidence/',
  '^src/strategies/',
  '^src/ralph/(?!index[.]ts$)',
  '^src/prompt/',
  '^src/detectors/',
  '^src/permissions/',
  '^src/budget/',
  '^src/log/',
  '^src/git/',
  '^src/actors/',
  '^src/agents/',
  '^src/config/',
  '^src/kernel/(?!index[.]ts$)',
  '^src/judging/',
  '^src/runtime/',
  '^src/charts/',
  '^src/termination/',
  '^src/testing/(?!index[.]ts$)',
  '^src/projections/',
  '^src/ports/',
  '^src/verification/',
  '^src/loops/',
  '^src/redecide/',
  '^src/replay/',
  '^src/app/',
  '^src/hosts/',
  '^src/triggers/',
  '^src/http/(?!index[.]ts$)',
  '^src/studio/',
  '^src/cli/',
  // The doors of the package.
  '^src/((testing|ralph|kernel|http)/)?index[.]ts$',
];

const ours = '^(machines|src)/';
const engines = '^src/log/([^/]+)/';
const actors = '^src/actors/[^/]+/';
/** Lists and settings that actors declare and the configuration reads. */
const declared = '^src/actors/(tools/builtin|model/providers)[.]ts$';
/** What carries work out, and decides nothing: a proof, the effects of a loop, and the use cases. */
const working = ['^src/verification/', '^src/loops/[^/]+/effects/', '^src/app/'];
const graph = ['node_modules/@xstate/graph/', 'node_modules/xstate/dist/xstate-graph'];

const forbid = (name, comment, from, to) => ({ name, comment, severity: 'error', from, to });
const nameOf = (layer) => /^\^(?:src\/)?\(?([a-z|]+)/.exec(layer)?.[1]?.replace('|', '-');

const arrows = layers
  .slice(0, -1)
  .map((layer, index) =>
    forbid(
      `arrow-${nameOf(layer)}`,
      'Imports only point up the list of folders.',
      { path: layer },
      { path: layers.slice(index + 1).join('|') },
    ),
  );

export default {
  forbidden: [
    ...arrows,
    forbid(
      'machines-packages',
      'Machines decide with xstate, immer and zod alone.',
      { path: '^machines/' },
      { dependencyTypes: ['npm', 'npm-dev', 'npm-no-pkg', 'npm-unknown'], pathNot: 'node_modules/(xstate|immer|zod)/' },
    ),
    forbid(
      'machines-node',
      'Machines know no clock, no disk, no process.',
      { path: '^machines/' },
      { dependencyTypes: ['core'] },
    ),
    forbid(
      'engines-are-strangers',
      'What two log engines share lies directly in src/log.',
      { path: engines },
      { path: engines, pathNot: '^src/log/$1/' },
    ),
    forbid(
      'actors-are-strangers',
      'What two actors share lies directly in src/actors.',
      { path: '^src/actors/([^/]+)/' },
      { path: actors, pathNot: '^src/actors/$1/' },
    ),
    forbid(
      'engines-are-handed-in',
      'Who writes or reads a log is given one by a host.',
      { path: ours, pathNot: [engines, '^src/log/open-store[.]ts$', '^src/(hosts|testing)/', '^src/index[.]ts$'] },
      { path: engines },
    ),
    forbid(
      'actors-are-handed-in',
      'Actors are handed in by a host, or used by what brings work of its own; naming their types is fine.',
      { path: ours, pathNot: [actors, ...working, '^src/(hosts|testing)/', '^src/index[.]ts$'] },
      { path: actors, pathNot: declared, dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'git-is-handed-in',
      'Actors and hosts change repositories; who decides is told of them in events.',
      { path: ours, pathNot: [...working, '^src/(git|log|actors|agents|hosts)/'] },
      { path: '^src/git/', dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'attempts-ask-a-host',
      'Turns and loops of attempts run on any host, so they ask a port for files and captures. Two loops work in git.',
      { path: '^src/loops/', pathNot: '^src/loops/(improvement|contest)/' },
      {
        path: ['^src/git/', '^src/actors/state-file/', '^(node:)?(fs|child_process)(/|$)'],
        dependencyTypesNot: ['type-only'],
      },
    ),
    forbid(
      'actors-start-processes',
      'Who decides starts no process: git, actors and agents do, and a log that asks whether its holder lives.',
      { path: ours, pathNot: '^src/((git|log|actors|agents|build)/|build[.]mjs$|cli/bin[.]mjs$)' },
      { path: ['^(node:)?child_process$', 'node_modules/execa/'], dependencyTypesNot: ['type-only'] },
    ),
    forbid(
      'xstate-importers',
      'XState stays behind step(), so that its next version is a small move.',
      {
        path: ours,
        pathNot: [
          '^machines/',
          '^src/kernel/(step|step-result|interpret|compiled/[^/]+)[.]ts$',
          '^src/hosts/xstate(/|[.]ts$)',
        ],
      },
      { path: 'node_modules/xstate/', pathNot: graph },
    ),
    forbid(
      'redecide-touches-nothing',
      'Who judges an old run again, or replays it, has no disk, no process and no network to touch.',
      { path: '^src/(redecide|replay)/' },
      { dependencyTypes: ['core'], pathNot: '^(node:)?util$' },
    ),
    forbid(
      'graph-importer',
      'One file walks a machine as a graph.',
      { path: ours, pathNot: '^src/testing/graph[.]ts$' },
      { path: graph },
    ),
    forbid(
      'judging-and-running-are-strangers',
      'A run asks its effect handlers, and they ask the judge.',
      { path: '^src/runtime/' },
      { path: '^src/judging/' },
    ),
    forbid(
      'kernel-is-pure',
      'What decides has no disk, no process, no clock and no network.',
      { path: '^src/(kernel|judging|detectors|permissions|budget|ralph|evidence|prompt)/' },
      { dependencyTypes: ['core'], pathNot: '^(node:)?crypto$' },
    ),
    forbid(
      'sqlite-importer',
      'Only the SQLite engine speaks to SQLite.',
      { path: ours, pathNot: '^src/log/sqlite/' },
      { path: '^(node:)?sqlite$' },
    ),
    forbid(
      'build-ships-nothing',
      'What builds the package is no part of it.',
      { path: ours, pathNot: '^src/build[./]' },
      { path: '^src/build/' },
    ),
    forbid('nobody-imports-tests', 'Tests are not shipped.', { path: ours }, { path: '^test/' }),
    forbid(
      'declared-packages',
      'What ships imports dependencies only, each declared.',
      // The page is bundled whole when the package is built.
      { path: ours, pathNot: '^src/(build|studio)/' },
      {
        dependencyTypes: ['npm-dev', 'npm-no-pkg', 'npm-unknown'],
        // Optional peers: each is loaded when it is needed.
        // Of the protocol of editors the types are all that is needed: they are gone where it is built.
        pathNot:
          '^node_modules/(pg|elkjs|@types/pg|@restatedev/restate-sdk|@(modelcontextprotocol/(client|server)|agentclientprotocol/sdk))/',
      },
    ),
    forbid('everything-resolves', 'An import that is not found is checked by no rule.', {}, { couldNotResolve: true }),
    forbid(
      'command-line-names-no-host',
      'The command line goes through the use cases; one file of it composes the hosts.',
      { path: '^src/cli/', pathNot: '^src/cli/hosts[.]ts$' },
      { path: '^src/hosts/' },
    ),
    forbid('no-cycles', 'Data goes one way.', { path: ours }, { circular: true }),
    forbid('no-orphans', 'A file without imports that no file imports is left over.', { path: ours, orphan: true }, {}),
  ],
  options: {
    doNotFollow: { path: ['node_modules', '^test/'] },
    tsPreCompilationDeps: true,
    enhancedResolveOptions: { exportsFields: ['exports'], conditionNames: ['types', 'import', 'node', 'default'] },
  },
};
