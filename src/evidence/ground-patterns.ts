/** Files that checks rest on by a convention of an ecosystem. */
export interface Convention {
  readonly ecosystem: 'any' | 'javascript' | 'python' | 'go' | 'rust' | 'other';
  /** Why they are grounds. Stable: programs read it. */
  readonly reason: ConventionReason;
  /** From the top of the workspace. Fitted in any case of letters, because some file systems find such names, too. */
  readonly globs: readonly string[];
}

/** Which files these are, for people. */
export const CONVENTION_REASONS = {
  'test-folder': 'in folders of tests and their data',
  'test-file': 'tests and snapshots, by their names',
  configuration: 'configuration of test runners, builds, compilers and linters',
  'import-hook': 'what Python loads before any test',
  'package-manager': 'settings of package managers',
  tasks: 'tasks that checks call',
  environment: 'environment, and versions of tools',
  'git-rules': 'what git ignores and converts',
} as const;
export type ConventionReason = keyof typeof CONVENTION_REASONS;

const TOOLS =
  'vitest,vite,jest,playwright,cypress,karma,ava,babel,webpack,rollup,nyc,web-test-runner,wdio,nightwatch,xo';
const MORE_TOOLS = 'eslint,biome,prettier,tsup,mocha,c8,tap,swc,stylelint,postcss';

/** A file belongs to the first of them that it fits. */
export const CONVENTIONS: readonly Convention[] = [
  {
    ecosystem: 'any',
    reason: 'test-folder',
    globs: [
      '**/{test,tests,__tests__,spec,e2e,testdata,fixtures,__fixtures__,__snapshots__,__image_snapshots__,__mocks__,cassettes,golden,goldens}/**',
      '**/{specs,cypress,test-data,test_data,type-tests,step_definitions}/**',
      // Deeper ones may as well be sources.
      '{t,features,acceptance,expected,snapshots,baselines}/**',
    ],
  },
  { ecosystem: 'rust', reason: 'test-folder', globs: ['**/benches/**'] },
  {
    ecosystem: 'javascript',
    reason: 'test-file',
    globs: [
      '**/*.{test,spec}.{js,jsx,cjs,cjsx,mjs,mjsx,ts,tsx,cts,ctsx,mts,mtsx}',
      // As node:test, Deno and Bun take them. A `job-spec.ts` may as well be a source.
      '**/*[_-]test.{js,jsx,cjs,mjs,ts,tsx,cts,mts}',
      'test{,-*}.{js,cjs,mjs,ts,cts,mts}',
      '**/*.{e2e-spec,cy,test-d,tst}.{js,jsx,cjs,mjs,ts,tsx,cts,mts}',
      '**/*.snap',
      '**/*.{js,cjs,mjs,ts,cts,mts}.snapshot',
    ],
  },
  { ecosystem: 'python', reason: 'test-file', globs: ['**/{test_*,*_test,tests,conftest}.py'] },
  { ecosystem: 'go', reason: 'test-file', globs: ['**/*_test.go'] },
  {
    ecosystem: 'other',
    reason: 'test-file',
    globs: [
      '**/*.{t,bats,feature,phpt}',
      '**/*_test.{c,cc,cpp,cxx,exs,rb,dart}',
      '**/*_{spec,test}.rb',
      '**/{test_*,spec_helper,rails_helper,test_helper}.{rb,exs}',
      '**/*{Test,Tests,IT}.{java,kt,scala,groovy,cs,php,swift}',
    ],
  },
  {
    ecosystem: 'javascript',
    reason: 'configuration',
    globs: [
      `**/{${TOOLS},${MORE_TOOLS}}{,[.-]*}.{config,conf}{,[.-]*}.*`,
      '**/vitest.workspace.*',
      '**/.{mocha,nyc,c8,babel,eslint,prettier,swc,tap,oxlint,oxfmt,stylelint,postcss}rc*',
      '**/.{eslint,prettier,stylelint}ignore',
      '**/{.xo-config*,.flowconfig,cucumber.{js,cjs,mjs,yml,yaml,json},gulpfile.*,{angular,project,lerna}.json}',
      '**/biome.json*',
      '**/{ts,js}config*.json',
      '**/bunfig.toml',
      '**/{deno,turbo,nx}.json{,c}',
      '**/.editorconfig',
    ],
  },
  {
    ecosystem: 'python',
    reason: 'configuration',
    globs: [
      '**/{,.}{pytest,mypy}.ini',
      '**/{,.}pytest.toml',
      '**/{,.}ruff.toml',
      '**/{tox.ini,setup.cfg,noxfile.py,.coveragerc,.flake8,pyrightconfig.json,.isort.cfg}',
      '**/{,.}pylintrc',
    ],
  },
  {
    ecosystem: 'rust',
    reason: 'configuration',
    globs: ['**/.cargo/**', '**/{,.}{clippy,rustfmt}.toml', '**/build.rs'],
  },
  { ecosystem: 'go', reason: 'configuration', globs: ['**/.golangci.*', '**/staticcheck.conf'] },
  {
    ecosystem: 'other',
    reason: 'configuration',
    globs: [
      '**/{.shellcheckrc,.yamllint*,.markdownlint*,.clang-tidy,.clang-format,.rubocop*.yml,.rspec,nextest.toml}',
      '**/{phpunit,phpcs,psalm}.xml*',
      '**/phpstan.neon*',
      '**/{pom.xml,build.gradle*,settings.gradle*,gradle.properties,CMakeLists.txt,CMakePresets.json}',
    ],
  },
  {
    ecosystem: 'python',
    reason: 'import-hook',
    globs: ['**/{sitecustomize,usercustomize}.py', '**/*.pth', '**/*.{egg,dist}-info/**'],
  },
  {
    ecosystem: 'javascript',
    reason: 'package-manager',
    globs: [
      '**/.npmrc',
      '**/.yarnrc*',
      '**/.yarn/{plugins,releases,sdks,patches}/**',
      '**/.pnp.*',
      '**/pnpm-workspace.yaml',
      '**/.pnpmfile.cjs',
    ],
  },
  { ecosystem: 'go', reason: 'package-manager', globs: ['**/go.work'] },
  {
    ecosystem: 'any',
    reason: 'tasks',
    globs: [
      '**/{GNUmakefile,Makefile,*.mk,justfile,.justfile,Rakefile,tasks.py}',
      '**/Taskfile.*',
      '.github/**',
      '**/{.gitlab-ci.yml,.pre-commit-config.yaml,Dockerfile,{,docker-}compose.y{,a}ml}',
    ],
  },
  {
    ecosystem: 'any',
    reason: 'environment',
    globs: [
      '**/.env*',
      '**/{.tool-versions,.nvmrc,.node-version,.python-version,mise.toml,.mise.toml}',
      '**/rust-toolchain{,.toml}',
    ],
  },
  { ecosystem: 'any', reason: 'git-rules', globs: ['**/.{gitignore,gitattributes}'] },
];
