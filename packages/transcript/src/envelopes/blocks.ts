import { isObject, listOf, objectOf, stringOf, type Json, type JsonObject } from '../json.ts';

/** The content of a record as a list of blocks; a plain text is a single block. */
export const blocksOf = (record: JsonObject): readonly Json[] => {
  const message = objectOf(record['message']);
  const content = message === null ? (stringOf(record['message']) ?? record['content']) : message['content'];
  return typeof content === 'string' ? [{ type: 'text', text: content }] : listOf(content);
};

/** A picture or document inside a record. */
export type FoundFile = { readonly ref: string; readonly name: string; readonly size: number; readonly mimeType: string };

export const fileOf = (block: JsonObject, uuid: string, path: readonly number[]): FoundFile | null => {
  const type = stringOf(block['type']);
  if (type !== 'image' && type !== 'document') return null;
  const source = objectOf(block['source']);
  const data = stringOf(source?.['data']) ?? '';
  const isBase64 = source?.['type'] === 'base64';
  const mimeType = stringOf(source?.['media_type']) ?? (type === 'image' ? 'image/*' : 'application/octet-stream');
  const kind = /^\w+\/([a-z0-9]+)/u.exec(mimeType)?.[1];
  return {
    ref: `${uuid}/${path.join('/')}`,
    name: stringOf(block['title']) ?? `${type}-${path.map((index) => index + 1).join('-')}${kind === undefined ? '' : `.${kind}`}`,
    // Three bytes in four characters; anything but base64 is text, or only an address.
    size: isBase64 ? Math.max(0, Math.floor((data.length * 3) / 4) - (data.endsWith('==') ? 2 : data.endsWith('=') ? 1 : 0)) : data.length,
    mimeType,
  };
};

/** A tool's result, without the bytes of its pictures, and those pictures. */
export const resultOf = (block: JsonObject, uuid: string, at: number): { readonly result: Json; readonly files: readonly FoundFile[] } => {
  const { content } = block;
  if (!Array.isArray(content)) return { result: content ?? null, files: [] };
  const files: FoundFile[] = [];
  const result = (content as readonly Json[]).map((inner, index): Json => {
    const file = isObject(inner) ? fileOf(inner, uuid, [at, index]) : null;
    if (file === null) return inner;
    files.push(file);
    return { type: 'file', ref: file.ref };
  });
  return { result, files };
};
