/** An ecosystem: the files by which it is known, where its packages come from unless a person says otherwise. */
interface Ecosystem {
  readonly manifests: readonly string[];
  readonly hosts: readonly string[];
  /** Variables of a person that hold addresses of registries. */
  readonly variables: readonly string[];
  /** Files of a home, or of the machine, with lines that name registries. */
  readonly settings: readonly string[];
}

const ECOSYSTEMS: readonly Ecosystem[] = [
  {
    manifests: ['package.json', 'pnpm-workspace.yaml', 'bun.lock', 'deno.json'],
    hosts: ['registry.npmjs.org', 'registry.yarnpkg.com'],
    variables: ['npm_config_registry', 'NPM_CONFIG_REGISTRY', 'YARN_NPM_REGISTRY_SERVER'],
    settings: ['~/.npmrc', '/usr/local/etc/npmrc', '/etc/npmrc'],
  },
  {
    manifests: ['pyproject.toml', 'requirements.txt', 'setup.py', 'setup.cfg', 'Pipfile', 'uv.lock'],
    hosts: ['pypi.org', 'files.pythonhosted.org'],
    variables: ['PIP_INDEX_URL', 'PIP_EXTRA_INDEX_URL', 'UV_INDEX_URL', 'UV_DEFAULT_INDEX'],
    settings: ['~/.config/pip/pip.conf', '~/.pip/pip.conf', '/etc/pip.conf'],
  },
  {
    manifests: ['Cargo.toml'],
    hosts: ['index.crates.io', 'static.crates.io', 'crates.io'],
    variables: [],
    settings: ['~/.cargo/config.toml'],
  },
  {
    manifests: ['go.mod', 'go.work'],
    hosts: ['proxy.golang.org', 'sum.golang.org'],
    variables: ['GOPROXY'],
    settings: ['~/.config/go/env'],
  },
  { manifests: ['Gemfile'], hosts: ['rubygems.org', 'index.rubygems.org'], variables: [], settings: ['~/.gemrc'] },
  { manifests: ['composer.json'], hosts: ['repo.packagist.org', 'packagist.org'], variables: [], settings: [] },
  { manifests: ['pom.xml'], hosts: ['repo.maven.apache.org', 'repo1.maven.org'], variables: [], settings: [] },
  {
    manifests: ['build.gradle', 'build.gradle.kts', 'settings.gradle', 'settings.gradle.kts'],
    hosts: [
      'repo.maven.apache.org',
      'repo1.maven.org',
      'plugins.gradle.org',
      'services.gradle.org',
      'downloads.gradle.org',
    ],
    variables: [],
    settings: [],
  },
  { manifests: ['mix.exs'], hosts: ['repo.hex.pm', 'hex.pm'], variables: [], settings: [] },
  { manifests: ['global.json', 'Directory.Packages.props'], hosts: ['api.nuget.org'], variables: [], settings: [] },
];

/** Variables with paths of the certificates that a person's network needs. */
export const CERTIFICATE_VARIABLES: readonly string[] = [
  'NODE_EXTRA_CA_CERTS',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'CURL_CA_BUNDLE',
  'GIT_SSL_CAINFO',
  'REQUESTS_CA_BUNDLE',
  'PIP_CERT',
  'CARGO_HTTP_CAINFO',
];

/** The ecosystems that a workspace has manifests of. `names`: the files at its top. */
export const ecosystemsOf = (names: readonly string[]): readonly Ecosystem[] =>
  ECOSYSTEMS.filter(({ manifests }) => manifests.some((one) => names.includes(one)));

/** A setting that names a registry: its name ends the part before the first `=`, or a `:` of YAML. */
const REGISTRY_LINE = new RegExp(
  `^\\s*"?(?:@[\\w.-]+:registry|${[
    'registry',
    'index-url',
    'extra-index-url',
    'trusted-host',
    'index',
    'replace-with',
    'protocol',
    'GOPROXY',
    'GONOSUMDB',
    'cafile',
    'strict-ssl',
  ].join('|')})"?\\s*=`,
);
const SECTION = /^\s*\[[^\]]*\]\s*$/;
const ADDRESS = /(?:sparse\+|git\+)?(https?:\/\/[^\s"',|]+)/g;
/** The name and password in an address. */
const CREDENTIALS = /(https?:\/\/)[^\s/"'@]*@/g;

/** Returns the lines of a package manager's settings that say where packages come from, without secrets. */
export const registryLines = (text: string): string =>
  text
    .split('\n')
    .filter((line) => REGISTRY_LINE.test(line) || SECTION.test(line))
    .map((line) => `${withoutCredentials(line)}\n`)
    .join('');

const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;

/** Takes the names and passwords out of addresses in a text. */
export const withoutCredentials = (text: string): string => text.replace(CREDENTIALS, '$1');

/** Returns the places that addresses in a text lead to, as entries of a reach: `example.org:8443`, `loopback:4873`. */
export function addressedHosts(text: string): readonly string[] {
  return [...text.matchAll(ADDRESS)].flatMap(([, address = '']) => {
    const url = URL.canParse(address) ? new URL(address) : null;
    if (url === null || url.hostname === '') return [];
    const port = url.port || (url.protocol === 'https:' ? '443' : '80');
    return [LOOPBACK.test(url.hostname) ? `loopback:${port}` : `${url.hostname}:${port}`];
  });
}
