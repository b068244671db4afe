import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, statSync } from 'node:fs';
import { makePrivateFolder, readTextIfThere, writePrivateFile, type Home } from './home.ts';

/** SEC-12: the operator's token, made once, in a file that only its owner can read. */
export const operatorToken = (home: Home): string => {
  const known = readTextIfThere(home.tokenFile)?.trim() ?? '';
  if (known !== '') {
    // A restored or copied home may have lost its modes.
    if ((statSync(home.tokenFile).mode & 0o077) !== 0) chmodSync(home.tokenFile, 0o600);
    return known;
  }
  makePrivateFolder(home.folder);
  const made = newToken();
  writePrivateFile(home.tokenFile, `${made}\n`);
  return made;
};

/** The operator's token for read-only use: it isn't created, and an unreadable one counts as unknown. An empty token belongs to nobody. */
export const knownToken = (home: Home): string => {
  try {
    return readTextIfThere(home.tokenFile)?.trim() ?? '';
  } catch {
    return '';
  }
};

/** AGT-2: the only part of an agent's token that is stored. */
export const tokenHashOf = (token: string): string => createHash('sha256').update(token).digest('hex');

export const newToken = (): string => randomBytes(32).toString('base64url');
