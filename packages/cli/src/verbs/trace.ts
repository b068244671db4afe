import { dotOf, mermaidOf } from '@yarnboard/protocol';
import { withBoard } from '../board/client.ts';
import { BOARD_OPTIONS, placeOf } from '../board/place.ts';
import type { ExitCode, Io } from '../io.ts';
import { oneOf, readOptions } from '../options.ts';
import { toJson } from '../print/json.ts';
import { printTrace } from '../print/trace.ts';
import { Refusal } from '../refusal.ts';

const FORMATS = ['tree', 'json', 'dot', 'mermaid'] as const;

/** `yarnboard trace`: where something comes from, and what came of it. Exit code 1 if no path leads to `--to`. */
export const trace = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('trace', args, {
    ...BOARD_OPTIONS,
    back: { type: 'boolean', default: false },
    forward: { type: 'boolean', default: false },
    depth: { type: 'string' },
    kind: { type: 'string', multiple: true },
    since: { type: 'string' },
    until: { type: 'string' },
    limit: { type: 'string' },
    cursor: { type: 'string' },
    to: { type: 'string' },
    format: { type: 'string', default: 'tree' },
    json: { type: 'boolean', default: false },
  });
  const format = values.json ? 'json' : oneOf('format', values.format, FORMATS);
  const [ref, ...others] = positionals;
  if (ref === undefined || others.length > 0)
    throw new Refusal(2, 'trace takes one reference, session id, path or stretch; `yarnboard help trace` tells more');
  const { back, forward, depth, since, until, limit, cursor, to } = values;
  const direction = back === forward ? 'both' : back ? 'back' : 'forward';
  const kinds = values.kind?.join(',');
  return withBoard(placeOf(values, io), io, { readOnly: true }, async ({ call }) => {
    const answer = await call('trace', { ref, direction, depth, kinds, since, until, limit, cursor, to });
    const shown = {
      json: () => `${toJson({ version: 1, ...answer })}\n`,
      dot: () => dotOf(answer),
      mermaid: () => mermaidOf(answer),
      tree: () => printTrace(answer),
    };
    await io.out(shown[format]());
    return answer.ways !== null && answer.ways.length === 0 ? 1 : 0;
  });
};
