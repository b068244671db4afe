import { MASKING_RULES } from '@yarnboard/domain';
import { sampleOf, type Damages } from '../audit.ts';
import { createEmbedding, MODEL } from '../search/meaning/embedding-file.ts';
import type { Db } from './database.ts';
import { createFilling } from './meaning-fill.ts';
import type { Names } from './names.ts';
import type { Payloads } from './payloads.ts';

export type MeaningAuditParts = {
  readonly index: Db;
  readonly board: Db;
  readonly boardId: string;
  readonly names: Names;
  readonly payloads: Payloads;
};

type Piece = {
  readonly start: number;
  readonly length: number;
  readonly weight: number;
  readonly bits: Buffer;
  readonly prompt: number | null;
  readonly row: Buffer | null;
};

/**
 * VERIFY-10: the index of meaning holds the vectors of what it was made from. Which prompt a reply answers is taken from the index, and has to stand before it
 * in its session; everything else is computed again. Of a model that runs elsewhere nothing is: its vectors would have to be paid for once more.
 */
export const auditMeaning = ({ index, board, boardId, names, payloads }: MeaningAuditParts, damages: Damages): void => {
  const state = index
    .prepare<[], { readonly board: string; readonly model: string; readonly position: number; readonly masking: number }>(
      'SELECT board, model, position, masking FROM progress',
    )
    .get();
  const head = board.prepare<[], number>('SELECT coalesce(max(position), 0) FROM main.entries').pluck().get() ?? 0;
  if (state === undefined) {
    const isEmpty = index.prepare('SELECT 1 FROM pieces UNION ALL SELECT 1 FROM vectors LIMIT 1').get() === undefined;
    if (!isEmpty) damages.add('search', 'meaning', 'meaning, progress', 'says nothing about how far the index is');
    return; // nothing was put into it yet
  }
  if (state.board !== boardId || state.position > head)
    damages.add('search', 'meaning', 'meaning, progress', 'is of another board, or ahead of the log');
  // SEC-24: an index made by other rules is emptied as soon as it is opened for writing. It isn't compared.
  if (state.masking !== MASKING_RULES) return;
  const upTo = Math.min(state.position, head);
  const stray = index.prepare<[number], number>('SELECT position FROM pieces WHERE position > ? OR position < 1 LIMIT 3').pluck();
  for (const position of stray.all(upTo))
    damages.add('search', 'meaning pieces', `meaning pieces, ${position}`, 'belongs to nothing that was indexed');
  const orphan = index.prepare<[], number>('SELECT id FROM vectors WHERE id NOT IN (SELECT id FROM pieces) LIMIT 3').pluck();
  for (const id of orphan.all()) damages.add('search', 'meaning vectors', `meaning vectors, ${id}`, 'belongs to no passage');
  const model = state.model === MODEL ? createEmbedding()() : null;
  if (model === null) return;

  const pieces = index.prepare<[number], Piece>(
    'SELECT p.start, p.length, p.weight, p.bits, p.prompt, v.row FROM pieces p LEFT JOIN vectors v ON v.id = p.id WHERE p.position = ? ORDER BY p.start, p.id',
  );
  const isBefore = board
    .prepare<[number, number], number>('SELECT 1 FROM messages a JOIN messages b ON b.session = a.session WHERE a.position = ? AND b.position = ?')
    .pluck();
  const filling = createFilling({ board, names, payloads });
  const compare = (position: number): void => {
    const stored = pieces.all(position);
    const prompt = stored[0]?.prompt ?? null;
    const isAnswer = prompt === null || (prompt < position && isBefore.get(position, prompt) === 1);
    const wanted = filling.again(model, position, prompt);
    const isSame =
      stored.length === wanted.length &&
      stored.every((one, at) => {
        const { from, length, pieces: weight, bits, row } = wanted[at] ?? NONE;
        return (
          one.prompt === prompt &&
          one.start === from &&
          one.length === length &&
          one.weight === weight &&
          one.bits.equals(bits) &&
          one.row !== null &&
          one.row.equals(row)
        );
      });
    if (!isAnswer || !isSame)
      damages.add('search', 'meaning pieces', `meaning pieces, ${position}`, 'its passages are not those of what was written');
  };
  const sample = sampleOf(upTo);
  if (sample === null) for (let position = 1; position <= upTo; position += 1) compare(position);
  else for (const position of sample) compare(position);
};

const NONE = { from: -1, length: -1, pieces: -1, bits: Buffer.alloc(0), row: Buffer.alloc(0) };
