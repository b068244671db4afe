import { sep } from 'node:path';

/** VAL-17: names that are never opened under any root because they hold secrets. Decided by name alone, without looking for the file. */
export const isDeniedName = (name: string): boolean =>
  (ASCII.test(name) ? PLAIN : DENIED).test(name) || (name.startsWith('.') && FOLDERS.has(name.toLowerCase()));

const FOLDERS: ReadonlySet<string> = new Set([
  '.ssh',
  '.aws',
  '.gnupg',
  '.gpg',
  '.kube',
  '.docker',
  '.azure',
  '.gcloud',
  '.password-store',
  '.git-crypt',
]);
const DENIED =
  /^\.env|\.env$|^\.(?:netrc|npmrc|pypirc|pgpass|my\.cnf|git-credentials|htpasswd|dockercfg|yarnrc(?:\.yml)?|vault-token)$|^id_(?:rsa|dsa|ecdsa|ed25519)|credential|secret|passw(?:or)?d|\.(?:pem|key|p12|pfx|crt|cer|der|jks|keystore|kdbx|asc|gpg|ovpn|tfstate)$|(?:^|[._-])tokens?(?:\.(?:txt|json|ya?ml|toml))?$/iu;

/** The same pattern for ASCII names, which cannot contain look-alike letters. A search tests every entry, and this is several times faster. */
const PLAIN = new RegExp(DENIED.source, 'i');
const ASCII = /^[ -~]*$/u;

/** Whether any part of a path below its root is denied. */
export const isDeniedPath = (path: string): boolean => path.split(sep).some(isDeniedName);

/** CLAIM-16 again, for paths that arrive another way: no control or bidirectional characters, no way out of the root, no excessive length. */
export const isCleanPath = (path: string): boolean =>
  path.length > 0 && path.length <= 1000 && !/[\p{Cc}\p{Cf}*?\\]|(?:^|\/)\.\.(?:\/|$)|^\/\//u.test(path) && path.split('/').length <= 100;
