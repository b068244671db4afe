import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder, writePrivateFile, type Home } from './home.ts';

type State = Pick<Home, 'stateFolder'>;

const fileIn = ({ stateFolder }: State): string => join(stateFolder, 'signing-key.pem');

/** LOG-5: the key in the second place, outside the home. Made when it is first needed. */
export const signingKeyOf = (state: State): KeyObject => {
  makePrivateFolder(state.stateFolder);
  const file = fileIn(state);
  if (!existsSync(file)) writePrivateFile(file, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
  return createPrivateKey(readFileSync(file));
};

/** The same without making one; null if there is none that can be read. */
export const readSigningKey = (state: State): KeyObject | null => {
  try {
    return createPrivateKey(readFileSync(fileIn(state)));
  } catch {
    return null;
  }
};
