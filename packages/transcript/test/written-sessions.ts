import { readdirSync, readFileSync } from 'node:fs';

/** A line of a session's files; `agentId` says whose file it stands in. */
export type Written = { readonly agentId: string | null; readonly value: object };

/** All sessions that real CLIs wrote into the fixtures, their files interleaved by time as an import does it. */
export const writtenSessions = (): readonly { readonly name: string; readonly lines: readonly Written[] }[] => {
  const files = readdirSync(ROOT, { recursive: true, encoding: 'utf8' }).filter((path) => /\/projects\/.+\.jsonl$/u.test(path));
  const agents = files.filter((path) => AGENT.test(path)).map((path) => ({ path, agentId: AGENT.exec(path)?.[1] ?? null, rows: rowsOf(path) }));
  return files
    .filter((path) => /[0-9a-f-]{36}\.jsonl$/u.test(path) && !AGENT.test(path))
    .map((path) => {
      const [folder, id] = [path.slice(0, path.lastIndexOf('/')), path.slice(-'.jsonl'.length - 36, -'.jsonl'.length)];
      const own = agents.filter((agent) => agent.path.startsWith(folder) && agent.rows.some(({ sessionId }) => sessionId === id));
      const lines = [{ agentId: null, rows: rowsOf(path) }, ...own].flatMap(({ agentId, rows }) =>
        rows.map(({ value, at }) => ({ agentId, value, at })),
      );
      return { name: path, lines: lines.sort((a, b) => a.at - b.at) };
    });
};

type Row = { readonly value: object; readonly at: number; readonly sessionId: unknown };

// A record that does not tell its time was said when the one before it was.
const rowsOf = (path: string): readonly Row[] => {
  let at = 0;
  return readFileSync(new URL(path, ROOT), 'utf8')
    .split('\n')
    .flatMap((line): readonly Row[] => {
      const value = valueOf(line);
      if (value === null) return [];
      at = Math.max(at, Date.parse(String(value.timestamp)) || at);
      return [{ value, at, sessionId: value.sessionId }];
    });
};

// Some lines are broken on purpose.
const valueOf = (line: string): { readonly timestamp?: unknown; readonly sessionId?: unknown } | null => {
  try {
    const value: unknown = JSON.parse(line);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : null;
  } catch {
    return null;
  }
};

const ROOT = new URL('../../../fixtures/claude-code/', import.meta.url);
const AGENT = /agent-([^/]+)\.jsonl$/u;
