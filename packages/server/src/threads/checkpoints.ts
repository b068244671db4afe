import { createPrivateKey, createPublicKey, generateKeyPairSync, sign, verify, type KeyObject } from 'node:crypto';
import { appendFileSync, existsSync, mkdirSync, readFileSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import type { Broken, LogPort } from '@yarnboard/store';
import type { Head } from '@yarnboard/domain';
import { makePrivateFolder, writePrivateFile, type Home } from '../home/home.ts';

/** The head of a board's log at a moment, signed. */
export type Checkpoint = {
  readonly board: string;
  readonly count: number;
  readonly checksum: string;
  readonly at: string;
  /** Set when an older state was put back on purpose: what was said before about later entries no longer holds. */
  readonly restored?: boolean;
  readonly signature: string;
};

/**
 * LOG-5: checkpoints are kept in a second place, one line each, never rewritten: a plain chain does not notice when its end is cut off, or when all
 * of it is written anew, but then it no longer fits what was signed before.
 */
export const createCheckpoints = (home: Home, boardId: string, now: () => number) => {
  const folder = join(home.stateFolder, 'checkpoints');
  const file = join(folder, `${boardId}.jsonl`);
  const keyFile = join(home.stateFolder, 'signing-key.pem');

  const key = (): KeyObject => {
    makePrivateFolder(home.stateFolder);
    if (!existsSync(keyFile))
      writePrivateFile(keyFile, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString());
    return createPrivateKey(readFileSync(keyFile));
  };

  const all = (): readonly (Checkpoint | { readonly damaged: string })[] => {
    if (!existsSync(file)) return [];
    const publicKey = createPublicKey(key());
    return wholeLines()
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => readCheckpoint(line, publicKey));
  };

  // What has no newline was never finished, on a full disk or in a power cut: it is no checkpoint, and must not spoil the next one.
  const wholeLines = (): Buffer => {
    const bytes = readFileSync(file);
    return bytes.subarray(0, bytes.lastIndexOf(10) + 1);
  };

  const write = (head: Head, restored = false): void => {
    const facts = {
      board: boardId,
      count: head.count,
      checksum: Buffer.from(head.checksum).toString('hex'),
      at: new Date(now()).toISOString(),
      ...(restored ? { restored } : {}),
    };
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const signature = sign(null, Buffer.from(JSON.stringify(facts)), key()).toString('base64');
    if (existsSync(file)) truncateSync(file, wholeLines().length);
    appendFileSync(file, `${JSON.stringify({ ...facts, signature })}\n`, { mode: 0o600, flush: true });
  };

  const check = async (log: LogPort): Promise<{ readonly checked: number; readonly broken: Broken | null }> => {
    const kept = all();
    const damaged = kept.find((one) => 'damaged' in one);
    if (damaged !== undefined && 'damaged' in damaged) {
      return {
        checked: 0,
        broken: { position: 0, kind: 'tail-rewritten', why: `a checkpoint in ${file} is not what was signed: ${damaged.damaged}` },
      };
    }
    const signed = kept.flatMap((one) => ('damaged' in one ? [] : [one]));
    const since = signed.slice(
      Math.max(
        0,
        signed.findLastIndex((one) => one.restored === true),
      ),
    );
    const head = await log.head();
    for (const checkpoint of since.toReversed()) {
      if (checkpoint.count > head.count) {
        return {
          checked: since.length,
          broken: {
            position: head.count + 1,
            kind: 'tail-removed',
            why: `there were ${checkpoint.count} entries at ${checkpoint.at}, now there are ${head.count}: the end of the log was cut off`,
          },
        };
      }
      const entry = checkpoint.count === 0 ? null : await log.entryAt(checkpoint.count);
      if (entry !== null && entry.checksum !== checkpoint.checksum) {
        return {
          checked: since.length,
          broken: {
            position: checkpoint.count,
            kind: 'tail-rewritten',
            why: `entry ${checkpoint.count} is not the one that was signed at ${checkpoint.at}: the log was written anew`,
          },
        };
      }
    }
    return { checked: since.length, broken: null };
  };

  const latest = (): Checkpoint | null => all().findLast((one): one is Checkpoint => !('damaged' in one)) ?? null;

  return { write, check, latest };
};

export type Checkpoints = ReturnType<typeof createCheckpoints>;

const readCheckpoint = (line: string, key: KeyObject): Checkpoint | { readonly damaged: string } => {
  try {
    const { signature, ...facts } = JSON.parse(line) as Checkpoint; // proven below
    if (verify(null, Buffer.from(JSON.stringify(facts)), key, Buffer.from(signature, 'base64'))) return { ...facts, signature };
    return { damaged: 'the signature does not fit' };
  } catch (cause) {
    return { damaged: cause instanceof Error ? cause.message : String(cause) };
  }
};
