import { createHash, randomUUID } from 'node:crypto';
import { rowsOf, type Board, type Media } from '@yarnboard/domain';
import { MOST_INLINE_BYTES, MOST_MEDIA_BYTES } from '@yarnboard/protocol';
import type { MediaPort, Store } from '@yarnboard/store';
import type { Engine } from '../../engine/engine.ts';
import type { Asker } from '../request/asker.ts';
import { Refused, refusedFor } from '../request/refusal.ts';
import { shownBytes, withoutSecrets } from './masked-media.ts';
import type { MediaFile } from './media-file.ts';

/** Stores uploads; only the process that writes to the board can. */
export type MediaKeeper = {
  readonly putMedia: MediaPort['put'];
  readonly finishMedia: MediaPort['finish'];
  readonly abandonMedia: MediaPort['abandon'];
};

export type MediaNeeds = { readonly store: Pick<Store, 'log' | 'media'>; readonly engine: Pick<Engine, 'board'> };

export type Uploaded = { readonly upload: string; readonly size: number };

/**
 * MEDIA-4: streams an upload to storage, with only one part in memory at a time. Nothing can refer to the file until it is complete, and an
 * interrupted upload leaves nothing behind.
 */
export const takeUpload = async (
  keeper: MediaKeeper,
  asker: Asker,
  bytes: AsyncIterable<Uint8Array>,
  announced: number | null,
): Promise<Uploaded> => {
  if (asker.actor === null)
    throw new Refused(
      'token-needed',
      'an upload needs a token, which says who you are; send the token of the operator, or one that `yarnboard agent add` gave to an agent, as Authorization: Bearer …',
    );
  if ((announced ?? 0) > MOST_MEDIA_BYTES) throw tooLarge();
  const id = randomUUID();
  const hash = createHash('sha256');
  let size = 0;
  let parts = 0;
  let waiting: Uint8Array[] = [];
  let waitingBytes = 0;
  const put = async (length: number): Promise<void> => {
    const all = waiting.length === 1 && waiting[0] !== undefined ? waiting[0] : Buffer.concat(waiting);
    waiting = length < all.length ? [all.subarray(length)] : [];
    waitingBytes = all.length - length;
    await keeper.putMedia(id, parts, all.subarray(0, length));
    parts += 1;
  };
  try {
    for await (const chunk of bytes) {
      size += chunk.length;
      if (size > MOST_MEDIA_BYTES) throw tooLarge();
      hash.update(chunk);
      waiting.push(chunk);
      waitingBytes += chunk.length;
      while (waitingBytes >= PART_BYTES) await put(PART_BYTES);
    }
    if (size === 0) throw new Refused('bad-request', 'the file is empty; nothing was uploaded');
    if (waitingBytes > 0) await put(waitingBytes);
    const { sha256 } = await keeper.finishMedia(id, hash.digest('hex'));
    return { upload: sha256, size };
  } catch (cause) {
    // If even that fails, a later sweep removes it.
    if (parts > 0) await keeper.abandonMedia(id).catch(() => {});
    throw cause;
  }
};

const tooLarge = (): Refused =>
  new Refused('too-large', `a file may have ${MOST_MEDIA_BYTES.toLocaleString('en')} bytes (24 MB), and this one has more; nothing was kept of it`);

/** MEDIA-5: opens a medium by MEDIA-n or id, as a stream. SEC-29: masks its secrets unless they are to be revealed. */
export const openMedia = async (needs: MediaNeeds, wanted: string, isRevealed: boolean): Promise<MediaFile> => {
  const file = await openWhole(needs, wanted);
  return isRevealed ? file : withoutSecrets(file);
};

const openWhole = async (needs: MediaNeeds, wanted: string): Promise<MediaFile> => {
  const media = mediaCalled(needs.engine.board(), wanted);
  const { sha256, mime, fileSize, filePath } = media;
  const gone = new Refused('not-found', `the bytes of ${media.ref} are gone, or could never be read`);
  if (sha256 === null || mime === null || fileSize === 0) throw gone;
  const about = { name: filePath, mime, size: fileSize, sha256 };
  const inline = await contentOf(needs, media);
  if (inline === null) throw gone;
  if (inline !== '') {
    const bytes = Buffer.from(inline, 'base64');
    return {
      ...about,
      read: async function* (from, to) {
        yield bytes.subarray(from, to);
      },
    };
  }
  if ((await needs.store.media.find(sha256)) === null) throw gone;
  return { ...about, read: (from, to) => readStored(needs.store.media, sha256, fileSize, from, to) };
};

export const mediaCalled = (board: Board, wanted: string): Media => {
  const media = board.media.get(board.ids.get(wanted.toUpperCase()) ?? wanted);
  if (media === undefined) throw refusedFor('not-on-board', { asked: wanted });
  return media;
};

/** The content in the medium's own entry: base64, or empty if the bytes lie beside the log, or null if they were forgotten. */
const contentOf = async ({ store: { log } }: Pick<MediaNeeds, 'store'>, { position }: Media): Promise<string | null> => {
  const bytes = (await log.payloadsOf([position])).get(position);
  if (bytes === undefined) return null;
  const payload = JSON.parse(Buffer.from(bytes).toString('utf8')) as { readonly content?: string }; // our own entry
  return payload.content ?? null;
};

/** The bytes of a small medium as base64, wherever they are stored; null if too large for an answer, or gone. */
export const shownContent = async (needs: MediaNeeds, media: Media, isRevealed: boolean): Promise<string | null> => {
  const content = await wholeContent(needs, media);
  if (content === null || isRevealed) return content;
  const bytes = Buffer.from(content, 'base64');
  const shown = await shownBytes(bytes, media.mime);
  return shown === bytes ? content : shown.toString('base64');
};

const wholeContent = async (needs: MediaNeeds, media: Media): Promise<string | null> => {
  const inline = await contentOf(needs, media);
  if (inline !== '' || media.sha256 === null) return inline;
  if (media.fileSize > MOST_INLINE_BYTES || (await needs.store.media.find(media.sha256)) === null) return null;
  const parts: Uint8Array[] = [];
  for await (const part of readStored(needs.store.media, media.sha256, media.fileSize, 0, media.fileSize)) parts.push(part);
  return Buffer.concat(parts).toString('base64');
};

/** Hashes that the board still refers to. A forgotten medium has a size of 0. */
export const keptMedia = (board: Board): readonly string[] =>
  rowsOf(board.media).flatMap(({ sha256, fileSize }) => (sha256 === null || fileSize === 0 ? [] : [sha256]));

/** The hashes of media whose bytes lie beside the log; small media are stored in their entries. */
export const mediaBesideLog = async (needs: Pick<MediaNeeds, 'store'>, board: Board): Promise<readonly string[]> => {
  const beside: string[] = [];
  for (const media of rowsOf(board.media))
    if (media.sha256 !== null && media.fileSize > 0 && (await contentOf(needs, media)) === '') beside.push(media.sha256);
  return beside;
};

async function* readStored(media: MediaPort, sha256: string, size: number, from: number, to: number): AsyncGenerator<Uint8Array, void, undefined> {
  // All parts but the last have the same length.
  const first = await media.part(sha256, 0);
  const hash = from === 0 && to === size ? createHash('sha256') : null;
  const length = first?.length ?? 0;
  if (first === null || length === 0) throw new Error(`the bytes of ${sha256} are gone`);
  for (let at = from; at < to;) {
    const index = Math.floor(at / length);
    const part = index === 0 ? first : await media.part(sha256, index);
    if (part === null) throw new Error(`part ${index} of ${sha256} is gone`);
    const piece = part.subarray(at - index * length, Math.min(part.length, to - index * length));
    if (piece.length === 0) throw new Error(`part ${index} of ${sha256} is shorter than it was`);
    hash?.update(piece);
    at += piece.length;
    // MEDIA-6: verify before sending the last piece, so that nobody mistakes tampered bytes for the whole file.
    if (at >= to && hash !== null && hash.digest('hex') !== sha256) throw new Error(`the bytes of ${sha256} are not those that were uploaded`);
    yield piece;
  }
}

const PART_BYTES = 512 * 1024;
