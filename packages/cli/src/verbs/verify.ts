import type { OutputOf } from '@yarnboard/protocol';
import { operatorTokenOf, withBoard } from '../board/client.ts';
import { BOARD_OPTIONS, placeOf } from '../board/place.ts';
import type { ExitCode, Io } from '../io.ts';
import { readOptions } from '../options.ts';
import { toJson } from '../print/json.ts';
import { counted } from '../print/number.ts';
import { megabytes } from '../print/progress.ts';

/** `yarnboard verify`: the chain, every payload, the signed checkpoints, and what is kept beside the log. Exit code 1 if something is broken. */
export const verify = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values } = readOptions('verify', args, { ...BOARD_OPTIONS, json: { type: 'boolean', default: false } });
  const place = placeOf(values, io);
  return withBoard(place, io, { readOnly: true }, async ({ call }) => {
    const verdict = await call('verify', { deep: operatorTokenOf(place) !== '' });
    await io.out(values.json ? `${toJson({ version: 1, ...verdict })}\n` : textOf(verdict));
    return verdict.is_whole ? 0 : 1;
  });
};

const textOf = (verdict: OutputOf<'verify'>): string => {
  const { broken, damages, notes } = verdict;
  const lines = [
    broken === null
      ? `whole: ${verdict.entries.toLocaleString('en')} entries, ${verdict.payloads.toLocaleString('en')} payloads (${megabytes(verdict.bytes)}), ${verdict.forgotten} forgotten, ${counted(verdict.checkpoints, 'signed checkpoint')} ${verdict.checkpoints === 1 ? 'agrees' : 'agree'}\nhead ${verdict.head}`
      : `broken at entry ${broken.position}: ${broken.why} (${broken.kind})\nnothing was changed; keep this file, and restore a backup with \`yarnboard restore FILE\``,
    ...damages.map(({ part, where, what, remedy }) => `${part}: ${where}: ${what}; ${remedy}`),
    ...notes.map((note) => `note: ${note}`),
  ];
  return `${lines.join('\n')}\n`;
};
