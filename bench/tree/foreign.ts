import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { openDatabase } from '../../packages/server/test/dialects/homes.ts';
import { ROOT } from '../measure/bundle.ts';
import { createProse, type Prose } from './prose.ts';
import { createRandom } from './random.ts';

/** Sessions of another tool: a real one of a few calls, said over and over with other ids and longer texts. */
export type PlantedTool = {
  readonly tool: string;
  readonly bytes: number;
  readonly sessions: number;
  readonly turns: number;
  readonly lines: number;
};

export const FOREIGN_TOOLS = ['codex', 'opencode', 'gemini', 'qwen', 'pi', 'copilot'] as const;
export type ForeignTool = (typeof FOREIGN_TOOLS)[number];

type Order = { readonly tool: ForeignTool; readonly bytes: number; readonly seed: number; readonly sessions: number };

/** Writes about so many bytes below the folder. The same order gives the same files. */
export const plantTool = (folder: string, { tool, bytes, seed, sessions }: Order): PlantedTool => {
  const prose = createProse(createRandom(seed));
  const plant = tool === 'opencode' ? plantDatabase : plantLines;
  return { tool, sessions, ...plant(folder, tool, bytes / sessions, sessions, prose) };
};

type Sown = Pick<PlantedTool, 'bytes' | 'turns' | 'lines'>;

const plantLines = (folder: string, tool: ForeignTool, size: number, sessions: number, prose: Prose): Sown => {
  const { file, session } = originOf(tool);
  const lines = readFileSync(join(SOURCES, file), 'utf8').trimEnd().split('\n');
  const headEnd = lines.findIndex((line) => BEGINS.test(line));
  const [head, body] = [lines.slice(0, headEnd), lines.slice(headEnd)];
  const inHead = new Set(head.flatMap((line) => line.match(IDS) ?? []));
  const lastId = /"(?:uu)?id":"([^"]+)"[^]*$/u.exec(body.at(-1) ?? '')?.[1] ?? '';
  const sown = { bytes: 0, turns: 0, lines: 0 };
  for (let nth = 0; nth < sessions; nth += 1) {
    const own = `${session.slice(0, -4)}${nth.toString(16).padStart(4, '0')}`;
    const named = (id: string, turn: number): string =>
      id === session
        ? own
        : inHead.has(id)
          ? turn === 0 || lastId === '' || STAYS.has(tool)
            ? id
            : `${lastId}-${nth}.${turn - 1}`
          : `${id}-${nth}.${turn}`;
    const texts = head.map((line) => line.replaceAll(session, own));
    let ordinal = head.length;
    for (let length = 0, turn = 0; length < size; turn += 1) {
      for (const line of body) {
        const text = line
          .replaceAll(IDS, (id) => named(id, turn))
          .replaceAll('This is a sample README.', () => prose.body(4000))
          .replace(/"ordinal":\d+/u, () => `"ordinal":${ordinal}`);
        ordinal += 1;
        texts.push(text);
        length += text.length + 1;
      }
      sown.turns += 1;
    }
    const path = join(folder, tool, file.split('/').slice(3).join('/').replaceAll(session, own).replaceAll(session.slice(0, 8), own.slice(-8)));
    const bytes = Buffer.from(`${texts.join('\n')}\n`);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, bytes);
    sown.bytes += bytes.length;
    sown.lines += texts.length;
  }
  return sown;
};

/** All in one database, as opencode has them. */
const plantDatabase = (folder: string, tool: ForeignTool, size: number, sessions: number, prose: Prose): Sown => {
  mkdirSync(join(folder, tool), { recursive: true });
  const database = openDatabase(join(folder, tool, 'opencode.db'));
  database.exec(readFileSync(join(SOURCES, ORIGINS[tool], 'opencode.sql'), 'utf8'));
  const sown = { bytes: 0, turns: 0, lines: 0 };
  // Rows as text, so that ids are replaced wherever they stand.
  const taken = (['session', 'message', 'part'] as const).map((table) => {
    const rows = database.prepare<[], Record<string, unknown>>(`SELECT * FROM ${table}`).all();
    database.exec(`DELETE FROM ${table}`);
    const insert = database.prepare(
      `INSERT INTO ${table} VALUES (${Object.keys(rows[0] ?? {})
        .map(() => '?')
        .join(', ')})`,
    );
    return { rows: rows.map((row) => JSON.stringify(Object.values(row))), put: (text: string) => insert.run(...(JSON.parse(text) as unknown[])) }; // what was a row
  });
  const [ofSession, ...ofTurn] = taken;
  const session = /ses_\w+/u.exec(ofSession?.rows[0] ?? '')?.[0] ?? '';
  const plant = database.transaction((nth: number) => {
    const own = `${session.slice(0, -4)}${nth.toString(16).padStart(4, '0')}`;
    ofSession?.put(ofSession.rows[0]?.replaceAll(session, own) ?? '');
    for (let length = 0, turn = 0; length < size; turn += 1) {
      const place = `${nth.toString(16).padStart(4, '0')}${turn.toString(16).padStart(6, '0')}`;
      for (const { rows, put } of ofTurn) {
        for (const row of rows) {
          const text = row
            .replaceAll(session, own)
            .replaceAll(/\b(?:msg|prt)_/gu, (kind) => `${kind}${place}`)
            .replaceAll(/call_\d+stub/gu, (id) => `${id}-${nth}.${turn}`)
            .replaceAll(INSTANTS, (instant) => String(Number(instant) + turn * A_TURN))
            .replaceAll('This is a sample README.', () => JSON.stringify(prose.body(4000)).slice(1, -1));
          put(text);
          length += text.length;
          sown.bytes += text.length;
          sown.lines += 1;
        }
      }
      sown.turns += 1;
    }
  });
  for (let nth = 0; nth < sessions; nth += 1) plant(nth);
  for (const index of INDEXES) database.exec(`CREATE INDEX ${index}`);
  database.close();
  return sown;
};

const originOf = (tool: ForeignTool): { readonly file: string; readonly session: string } => {
  const folder = ORIGINS[tool];
  const names = readdirSync(join(SOURCES, folder), { recursive: true, encoding: 'utf8' });
  const name = names.find((one) => one.endsWith('.jsonl')) ?? '';
  const expected = JSON.parse(readFileSync(join(SOURCES, folder, 'expected.json'), 'utf8')) as {
    readonly sessions: readonly { readonly id: string }[];
  }; // ours, beside what the CLI wrote
  return { file: `${folder}/${name}`, session: expected.sessions[0]?.id ?? '' };
};

const SOURCES = join(ROOT, 'fixtures');

const ORIGINS = {
  codex: 'codex/0.166.0/tools',
  opencode: 'opencode/1.18.33/tools',
  gemini: 'gemini/0.61.0/tools',
  qwen: 'qwen/0.24.4/tools',
  pi: 'pi/0.73.1/tools',
  copilot: 'copilot/1.0.102/tools',
} as const satisfies Record<ForeignTool, string>;

/** What opencode's migrations create. The dump has only tables; without these, every question about one session would read all of them. */
const INDEXES = [
  'message_session_time_created_id_idx ON message (session_id, time_created, id)',
  'part_message_id_id_idx ON part (message_id, id)',
  'part_session_idx ON part (session_id)',
  'session_project_idx ON session (project_id)',
  'session_parent_idx ON session (parent_id)',
];
/** In milliseconds. */
const INSTANTS = /\b1[5-9]\d{11}\b/gu;
const A_TURN = 60_000;

/** Where a turn names nothing of the one before. */
const STAYS: ReadonlySet<string> = new Set(['codex', 'gemini']);
/** The first line of a turn. */
const BEGINS = /Please run the tools scenario|"task_started"/u;
const IDS =
  /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}|call_\d{4}stub|\b[a-z_]+__[a-z_]+_\d+_\d+|(?<="(?:id|parentId)":")[0-9a-f]{8}(?=")/gu;
