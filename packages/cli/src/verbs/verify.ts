import { withBoard } from '../board/client.ts';
import { BOARD_OPTIONS, placeOf } from '../board/place.ts';
import type { ExitCode, Io } from '../io.ts';
import { readOptions } from '../options.ts';
import { toJson } from '../print/json.ts';
import { counted } from '../print/number.ts';
import { megabytes } from '../print/progress.ts';

/** `yarnboard verify`: the chain, every payload, and the signed checkpoints. Exit code 1 when something is broken. */
export const verify = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values } = readOptions('verify', args, { ...BOARD_OPTIONS, json: { type: 'boolean', default: false } });
  return withBoard(placeOf(values, io), io, { readOnly: true }, async ({ call }) => {
    const verdict = await call('verify', {});
    const { broken } = verdict;
    const text =
      broken === null
        ? `whole: ${verdict.entries.toLocaleString('en')} entries, ${verdict.payloads.toLocaleString('en')} payloads (${megabytes(verdict.bytes)}), ${verdict.forgotten} forgotten, ${counted(verdict.checkpoints, 'signed checkpoint')} ${verdict.checkpoints === 1 ? 'agrees' : 'agree'}\nhead ${verdict.head}\n`
        : `broken at entry ${broken.position}: ${broken.why} (${broken.kind})\nnothing was changed; keep this file, and restore a backup with \`yarnboard restore FILE\`\n`;
    await io.out(values.json ? `${toJson({ version: 1, ...verdict })}\n` : text);
    return broken === null ? 0 : 1;
  });
};
