import { closeSync, existsSync, openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { sha256 } from '@yarnboard/store';
import { makePrivateFolder, type Home } from '../home/home.ts';

/** What a home has seen of the board at its address. */
export type Witnessed = {
  readonly board: string;
  /** The length of the log, and the checksum of its last entry. */
  readonly count: number;
  readonly checksum: string;
  /** How many checkpoints were signed, and the hash of the last line. */
  readonly checkpoints: number;
  readonly line: string | null;
};

export type Witness = {
  /** Null if nothing was seen yet; `damaged` if it can't be what was written. */
  readonly read: () => Witnessed | 'damaged' | null;
  readonly write: (seen: Witnessed) => void;
  readonly close: () => void;
};

/**
 * LOG-31: the second place that knows the length of the log and the number of checkpoints. It is overwritten in place at every commit without a sync:
 * a power cut may leave it behind, which only weakens its evidence; a killed process loses nothing.
 */
export const createWitness = ({ folder, database }: Pick<Home, 'folder' | 'database'>): Witness => {
  const file = witnessFile({ folder, database });
  let fd: number | null = null;
  return {
    read: () => {
      if (!existsSync(file)) return null;
      return readWitness(readFileSync(file, 'utf8'));
    },
    write: (seen) => {
      makePrivateFolder(folder);
      makePrivateFolder(join(folder, 'witness'));
      fd ??= openSync(file, existsSync(file) ? 'r+' : 'w+', 0o600);
      writeSync(fd, Buffer.from(witnessText(seen)), 0, WIDTH, 0);
    },
    close: () => {
      if (fd !== null) closeSync(fd);
      fd = null;
    },
  };
};

/** One per address: a home may be pointed at other databases now and then. */
export const witnessFile = ({ folder, database }: Pick<Home, 'folder' | 'database'>): string =>
  join(folder, 'witness', `${addressOf(database)}.json`);

/** An address without its password, as a hash. */
export const addressOf = (database: string): string =>
  sha256(database.replace(/^(\w+:\/\/)[^@/]*@/u, '$1'))
    .toString('hex')
    .slice(0, 16);

/** Always the same length, so that it is overwritten completely. */
const witnessText = (seen: Witnessed): string => {
  const text = JSON.stringify(seen);
  return `${JSON.stringify({ ...seen, seal: sealOf(text) }).padEnd(WIDTH - 1)}\n`;
};

const readWitness = (text: string): Witnessed | 'damaged' => {
  try {
    const { seal, ...seen } = JSON.parse(text) as Witnessed & { readonly seal?: string }; // proven by its seal
    return seal === sealOf(JSON.stringify(seen)) && witnessText(seen) === text ? seen : 'damaged';
  } catch {
    return 'damaged';
  }
};

const sealOf = (text: string): string => sha256(text).toString('hex').slice(0, 16);

const WIDTH = 512;
