// Following a session: what is told of it whenever a line comes, against finding it all at once, in a short session and a long one: [--records 2000,200000]
import { parseArgs } from 'node:util';
import { addFile, append, createGrowingSession, createSession, outlineSession, type JsonObject, type Session } from '@yarnboard/transcript';
import { mustBeEqual, runBench } from './measure/run.ts';
import { below, layOut, type Verdict } from './measure/table.ts';

const { values } = parseArgs({ options: { records: { type: 'string', default: '2000,200000' } } });
const sizes = values.records.split(',').map(Number);
if (sizes.length !== 2 || !sizes.every((size) => size >= 100)) throw new Error('--records takes two counts, such as 2000,200000');

const LINES = 200;
const TURN = 4;
/** Every so many turns call a sub-agent, which says as much as they do. */
const CALLS = 25;

await runBench({ name: 'following', keep: false }, async () => {
  const rows: (readonly string[])[] = [['records', 'sub-agents', 'for each line', 'all at once', 'x']];
  const costs: number[] = [];
  const verdicts: Verdict[] = [];
  for (const size of sizes) {
    const { session, grow, agents } = planted(size);
    const grown = createGrowingSession(session);
    const once = Math.min(...Array.from({ length: 3 }, () => cpuOf(() => outlineSession(session, { now: session.lastAt }))));
    grown.outline();
    // In rounds, of which the least busy one counts.
    const cost = Math.min(
      ...Array.from(
        { length: 5 },
        () =>
          cpuOf(() => {
            for (let line = 0; line < LINES; line += 1) {
              grow();
              grown.outline();
            }
          }) / LINES,
      ),
    );
    const found = outlineSession(session, { now: session.lastAt });
    const told = grown.outline();
    mustBeEqual(
      `${size} records`,
      { messages: found.messages, agents: found.sidechains.length },
      { messages: told.messages, agents: told.sidechains.length },
    );
    costs.push(cost);
    rows.push([size.toLocaleString('en'), String(agents), `${(cost * 1000).toFixed(0)} µs`, `${once.toFixed(1)} ms`, (once / cost).toFixed(0)]);
    if (size === sizes.at(-1))
      verdicts.push(below(cost / once, 0.01, `${size.toLocaleString('en')} records: what is told for each line against finding it at once`, 'x'));
  }
  const [small = 0, large = 0] = costs;
  verdicts.push(below(large / small, 3, 'a line of the long session against one of the short', 'x'));
  console.log(layOut(rows));
  return verdicts;
});

function planted(records: number): { readonly session: Session; readonly grow: () => void; readonly agents: number } {
  const session = createSession('11111111-0000-4000-8000-000000000001');
  const main = addFile(session, { path: 'main.jsonl', agentId: null });
  const lines = new Map<number, number>();
  const add = (file: number, value: JsonObject): void => {
    const line = (lines.get(file) ?? 0) + 1;
    lines.set(file, line);
    append(session, file, value, { line, part: 0, offset: line * 500, length: 500 });
  };
  const at = (second: number): string => new Date(Date.UTC(2026, 0, 5, 0, 0, second)).toISOString();
  let last: string | null = null;
  let said = 0;
  const say = (file: number, type: 'user' | 'assistant', content: JsonObject['content'], more: JsonObject = {}): void => {
    const uuid = `r${said}`;
    const id = said;
    said += 1;
    const message = type === 'user' ? { role: 'user', content } : { role: 'assistant', id: `m${id}`, model: 'claude-opus-4-1', content };
    add(file, { type, uuid, parentUuid: last, timestamp: at(id), isSidechain: false, message, ...more });
    last = uuid;
  };
  let agents = 0;
  const turn = (n: number): void => {
    const isCall = n % CALLS === 0;
    say(main, 'user', `What about part ${n}?`);
    say(main, 'assistant', [
      { type: 'tool_use', id: `t${n}`, name: isCall ? 'Agent' : 'Read', input: isCall ? { prompt: `Look at ${n}`, description: 'Look' } : {} },
    ]);
    if (isCall) {
      const before = last;
      const agentId = `a${n}`;
      const file = addFile(session, { path: `agent-${agentId}.jsonl`, agentId });
      last = null;
      for (let i = 0; i < CALLS * TURN; i += 1)
        say(file, i % 2 === 0 ? 'user' : 'assistant', i === 0 ? `Look at ${n}` : [{ type: 'text', text: 'Yes' }], { isSidechain: true, agentId });
      agents += 1;
      last = before;
    }
    say(main, 'user', [{ type: 'tool_result', ['tool_use_id']: `t${n}`, content: 'It is there.' }]);
    say(main, 'assistant', [{ type: 'text', text: 'It is there.' }]);
  };
  let turns = 0;
  for (; said < records; turns += 1) turn(turns);
  return {
    session,
    agents,
    grow: () => {
      const nth = said % 2;
      say(main, nth === 0 ? 'user' : 'assistant', nth === 0 ? 'And?' : [{ type: 'text', text: 'So.' }]);
    },
  };
}

/** Milliseconds of processor time. */
function cpuOf(work: () => unknown): number {
  const before = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}
