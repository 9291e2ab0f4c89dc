import { fitsAny } from './path-globs.ts';

// Files that hold passwords, keys and tokens: a capture of one would be in the objects of the repository for good. They
// are told by the names that tools give them, and where such a name is also that of other files, by what they hold: in
// a time that grows with its length alone, because an agent may have written it.

/** By their names alone. */
const NAMED = fitsAny([
  '**/.env{,[.~_-]*}',
  '**/id_{rsa,dsa,ecdsa,ecdsa_sk,ed25519,ed25519_sk}',
  '**/*.{p8,p12,pfx,ppk,keystore,jks,bks,kdb,kdbx}',
  '**/{.netrc,_netrc,.pgpass,.my.cnf,.htpasswd,.git-credentials,.dockercfg,.vault-token}',
  '**/.aws/credentials',
  '**/.cargo/credentials{,.toml}',
  '**/.docker/config.json',
  '**/.kube/config',
  '**/.streamlit/secrets.toml',
  '**/{credentials,application_default_credentials}.json',
  '**/{client_secret,client-secret,service-account,service_account,serviceaccount}*.json',
]);

/** What stands for a secret, or is known to all. */
const OPEN = fitsAny([
  '**/.env.{,**.}{example,sample,template,tmpl,dist,default,defaults}',
  '**/debug.keystore',
  // Data of tests, such as the key of a server that only they start.
  '**/{fixtures,__fixtures__,testdata}/**',
]);

const PRIVATE_KEY = /-----BEGIN [A-Z\d ]*PRIVATE KEY( BLOCK)?-----/;
/** The one word of a file, as a framework makes its master key. */
const LONE_TOKEN = /^\s*(?=\S*\d)[\w+/=-]{24,}\s*$/;
/** A key in its binary form, as the sequence that it begins with. */
const BINARY_KEY = /^0\u0082/;
const REGISTRY_TOKEN = /\b(_authToken|_auth|_password|npmAuthToken|npmAuthIdent)\s*[=:]\s*["']?(?![$\s"'])./i;
const PASSWORD = /^[^\S\r\n\u2028\u2029]*password\s*[=:]\s*\S/im;
const PASSWORD_IN_ADDRESS = /:\/\/[^\s/@:]+:[^\s/@$]+@/;
const ASSIGNED =
  /^[^\S\r\n\u2028\u2029]*(export\s+)?(?=\w*(SECRET|TOKEN|PASSWORD|PASSWD|API_?KEY|PRIVATE_?KEY|ACCESS_?KEY))\w+[^\S\n]*=[^\S\n]*["']?[^\s"'$<]{8}/im;

/** Names that other files have, too, and what those that are secrets hold. */
const BY_CONTENT: readonly { readonly fits: (path: string) => boolean; readonly holds: readonly RegExp[] }[] = [
  { fits: fitsAny(['**/*.key']), holds: [PRIVATE_KEY, LONE_TOKEN, BINARY_KEY] },
  { fits: fitsAny(['**/*.{pem,crt,cer,cert,asc,gpg}', '**/*[_-]{key,rsa,dsa,ecdsa,ed25519}']), holds: [PRIVATE_KEY] },
  { fits: fitsAny(['**/{.npmrc,.yarnrc,.yarnrc.yml}']), holds: [REGISTRY_TOKEN, PASSWORD_IN_ADDRESS] },
  { fits: fitsAny(['**/.pypirc', '**/pip.{conf,ini}']), holds: [PASSWORD, PASSWORD_IN_ADDRESS] },
  { fits: fitsAny(['**/.envrc', '**/*.env', '**/*.tfvars']), holds: [ASSIGNED] },
];

/** Whether a file is a secret by its name, or may be one, by what it holds. Null: neither. `path`: from the top. */
export function suspicionOf(path: string): 'name' | 'content' | null {
  if (OPEN(path)) return null;
  if (NAMED(path)) return 'name';
  return BY_CONTENT.some(({ fits }) => fits(path)) ? 'content' : null;
}

/** Whether a file whose name does not tell holds a secret. `content`: in latin1. */
export const holdsSecret = (path: string, content: string): boolean =>
  BY_CONTENT.some(({ fits, holds }) => fits(path) && holds.some((pattern) => pattern.test(content)));
