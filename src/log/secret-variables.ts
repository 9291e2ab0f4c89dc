/** A value that must not be written down, and the name that stands for it. */
export interface Secret {
  readonly name: string;
  readonly value: string;
}

/** A shorter value is as likely a common word as a secret. */
export const MIN_SECRET_CHARACTERS = 8;

/** Names that say themselves that the value is a secret: by the word at their end, or by one anywhere. */
const WORD_AT_END =
  /(?:^|_)(?:API_?)?(?:KEY|PAT|SK|PASS|AUTH|COOKIE|DSN|SALT|CREDS|PASSCODE|WEBHOOK(?:_URL)?|CONN(?:ECTION)?_?STR(?:ING)?)$|_PWD$|(?:TOKEN|APIKEY|CREDENTIALS?)$/i;
const ANY_WORD = /SECRET|PASSWORD|PASSWD|PASSPHRASE|AUTHTOKEN|AUTH_TOKEN/i;
/** Such a variable names a secret, or where it lies. Its value is harmless. */
const OF_A_PLACE = /_(?:FILE|PATH|DIR|SOCK|NAME|ID)$/i;

/** Variables that people pass to commands and whose values belong into a log: settings of systems and of tools. */
const HARMLESS =
  /^(?:PATH|HOME|LANG|LANGUAGE|LC_.*|TERM|COLORTERM|COLUMNS|LINES|NO_COLOR|FORCE_COLOR|TMPDIR|TMP|TEMP|TZ|USER|LOGNAME|SHELL|PWD|OLDPWD|HOSTNAME|EDITOR|VISUAL|PAGER|DISPLAY|WAYLAND_DISPLAY|XDG_.*_(?:HOME|DIRS?)|CI|DEBUG|LOG_LEVEL|NODE_(?:ENV|OPTIONS|PATH)|JAVA_HOME|GO(?:PATH|ROOT|FLAGS|CACHE)|CARGO_(?:HOME|TARGET_DIR)|RUST(?:UP_HOME|FLAGS|_LOG|_BACKTRACE)|VIRTUAL_ENV|PYTHON(?:PATH|HOME|UNBUFFERED|DONTWRITEBYTECODE)|LD_LIBRARY_PATH|PKG_CONFIG_PATH|CC|CXX|(?:C|CXX|CPP|LD|MAKE)FLAGS)$/;
/** Values that say nothing, under whatever name: without them no address and no mode of a program could be recorded. */
const SAYS_NOTHING = /^(?:localhost|127\.0\.0\.1|0\.0\.0\.0|production|development)$/;

/** The user part of an address: `scheme://user:password@host`. */
const WITH_PASSWORD = /^[a-z][a-z0-9+.-]*:\/\/[^\s/:@]*:([^\s/@]+)@/i;
/** A password in an address that is a plain word, such as `postgres`, is in every program that works with it. */
const PLAIN = /^[a-z_]+$/;

/**
 * The secrets that an environment holds: variables with the name of a secret, addresses with a password, and of the
 * variables named beside all but the harmless ones.
 */
export function secretsIn(
  environment: { readonly [variable: string]: string | undefined },
  named: readonly string[] = [],
): readonly Secret[] {
  const found = Object.entries(environment).flatMap(([name, value]) => {
    const said = value?.trim() ?? '';
    const password = passwordIn(said);
    if (password !== null) return [{ name, value: said }, ...formsOf(password).map((one) => ({ name, value: one }))];
    return namesSecret(name) || isPassed(name, said, named) ? [{ name, value: said }] : [];
  });
  return found.filter(({ value }) => value.length >= MIN_SECRET_CHARACTERS);
}

/** Tells by its name that a variable holds a secret. */
export const namesSecret = (name: string): boolean =>
  (WORD_AT_END.test(name) || ANY_WORD.test(name)) && !OF_A_PLACE.test(name) && !HARMLESS.test(name);

const isPassed = (name: string, value: string, named: readonly string[]): boolean =>
  named.includes(name) && !HARMLESS.test(name) && !SAYS_NOTHING.test(value);

const passwordIn = (address: string): string | null => WITH_PASSWORD.exec(address)?.[1] ?? null;

/** A password as it stands in an address, and as a program gets it from there. */
function formsOf(password: string): readonly string[] {
  if (PLAIN.test(password)) return [];
  try {
    return [...new Set([password, decodeURIComponent(password)])];
  } catch {
    return [password];
  }
}

/**
 * A secret as programs write it: as it is, quoted in JSON, encoded for an address, and in base64, also where it stands
 * in the middle of what was encoded. The letters of base64 that mix it with its neighbours are left out: they hold at
 * most four bits of its first and of its last byte.
 */
export function alsoEncoded({ name, value }: Secret): readonly Secret[] {
  const forms = new Set([value, quoted(value), ...ofAddress(value), ...ALIGNMENTS.flatMap((at) => base64(value, at))]);
  return [...forms].map((form) => ({ name, value: form }));
}

/** How many bytes of a group of three stand before the secret. */
const ALIGNMENTS = [0, 1, 2];
const BITS_OF_BYTE = 8;
const BITS_OF_LETTER = 6;

/** Inside a text that is JSON, a secret may have other characters. */
const quoted = (value: string): string => JSON.stringify(value).slice(1, -1);

/** As a part of a path or query, with what `encodeURIComponent` leaves as it is, and as a form writes it. */
function ofAddress(value: string): readonly string[] {
  // A lone surrogate cannot be encoded.
  if (!value.isWellFormed()) return [];
  const part = encodeURIComponent(value);
  const strict = part.replaceAll(/[!'()*]/g, (one) => `%${one.charCodeAt(0).toString(16).toUpperCase()}`);
  const form = new URLSearchParams([['', value]]).toString().slice(1);
  return [part, strict, form].flatMap((one) => [one, one.replaceAll(/%[0-9A-F]{2}/g, (hex) => hex.toLowerCase())]);
}

function base64(value: string, before: number): readonly string[] {
  const bytes = Buffer.concat([Buffer.alloc(before), Buffer.from(value)]);
  const from = Math.ceil((before * BITS_OF_BYTE) / BITS_OF_LETTER);
  const to = Math.floor((bytes.length * BITS_OF_BYTE) / BITS_OF_LETTER);
  return [bytes.toString('base64').slice(from, to), bytes.toString('base64url').slice(from, to)];
}
