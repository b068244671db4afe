import { existsSync } from 'node:fs';
import { encodeInspect } from '@yarnboard/protocol';
import type { ExitCode, Io } from '../io.ts';
import { pricesFrom, readOptions } from '../options.ts';
import { transcriptHomes, demoFolder, readingThread } from '../places.ts';
import { exitFor } from '../print/exit.ts';
import { toJson } from '../print/json.ts';
import { printReport } from '../print/report.ts';
import { readTree } from '../read/tree.ts';
import { Refusal } from '../refusal.ts';

/** `yarnboard inspect`: reads transcripts, prints a report. */
export const inspect = async (args: readonly string[], io: Io): Promise<ExitCode> => {
  const { values, positionals } = readOptions('inspect', args, {
    json: { type: 'boolean', default: false },
    demo: { type: 'boolean', default: false },
    all: { type: 'boolean', default: false },
    prices: { type: 'string' },
    threads: { type: 'string' },
    tool: { type: 'string' },
    reveal: { type: 'boolean', default: false },
  });
  const exit = exitFor(values.reveal);
  const prices = pricesFrom(values.prices, io.dialects);
  const paths = choosePaths(values, positionals, io);
  const report = await readTree(paths, {
    prices,
    now: io.now(),
    dialects: io.dialects,
    threadProgram: readingThread(io),
    ...(values.tool === undefined ? {} : { tool: toolFrom(values.tool, io) }),
    ...(values.threads === undefined ? {} : { threads: threadsFrom(values.threads) }),
    ...(io.isErrTerminal && !values.json ? { onProgress: progressBar(io) } : {}),
  });
  if (io.isErrTerminal && !values.json) io.err('\r\u001b[K');
  const shown = exit.data(report);
  await io.out(
    values.json
      ? `${toJson(exit.data(encodeInspect(shown)))}\n`
      : exit.text(printReport(shown, { columns: io.columns, all: values.all, where: paths })),
  );
  const unread = report.skipped.find((skipped) => positionals.includes(skipped.file) && skipped.reason.startsWith('unreadable'));
  if (unread !== undefined) throw new Refusal(3, `cannot read ${unread.file}: ${unread.reason.replace('unreadable: ', '')}`);
  return 0;
};

const choosePaths = (values: { readonly demo?: boolean }, positionals: readonly string[], io: Io): readonly string[] => {
  if (values.demo === true) {
    if (positionals.length > 0) throw new Refusal(2, '--demo reads its own set of sessions; leave out the path, or --demo');
    return [demoFolder(io)];
  }
  if (positionals.length > 0) {
    if (positionals.includes('-') && positionals.length > 1) throw new Refusal(2, '- (standard input) cannot be combined with other paths');
    for (const path of positionals) if (path !== '-' && !existsSync(path)) throw new Refusal(3, `there is no file or folder "${path}"`);
    return positionals;
  }
  const homes = transcriptHomes(io);
  if (homes.length > 0) return homes;
  const configured = io.env['CLAUDE_CONFIG_DIR'] ?? '';
  const where = configured === '' ? 'on this machine' : `in ${configured} (CLAUDE_CONFIG_DIR)`;
  throw new Refusal(3, `found no sessions ${where}; name a file or folder, or try \`yarnboard inspect --demo\``);
};

const toolFrom = (name: string, { dialects }: Io): string => {
  if (dialects.some((dialect) => dialect.name === name)) return name;
  throw new Refusal(2, `there is no tool "${name}"; known: ${dialects.map((dialect) => dialect.name).join(', ')}`);
};

const threadsFrom = (text: string): number => {
  const threads = Number(text);
  if (!Number.isInteger(threads) || threads < 1) throw new Refusal(2, `--threads takes a whole number from 1; not "${text}"`);
  return threads;
};

const progressBar = (io: Io): ((done: number, all: number) => void) => {
  let shown = -1;
  return (done, all) => {
    const percent = all === 0 ? 100 : Math.floor((done / all) * 100);
    if (percent === shown) return;
    shown = percent;
    io.err(`\r\u001b[Kreading ${percent} %`);
  };
};
