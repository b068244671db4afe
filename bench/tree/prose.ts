import { createRandom, type Random } from './random.ts';
import { createVocabulary } from './vocabulary.ts';

/**
 * Text that is already escaped for JSON, cut from pools made once. Escaping a gigabyte anew would take longer than writing it, and what a parser
 * has to undo (quotes, newlines, tabs, backslashes) is the same.
 */
export type Prose = {
  /** About `bytes` of whole lines of code or command output; now and then not ASCII. */
  readonly body: (bytes: number) => string;
  /** One line without its newline. */
  readonly line: () => string;
  readonly path: () => string;
};

export const createProse = (random: Random): Prose => {
  const pick = (): Pool => (random.chance(FOREIGN_SHARE) ? FOREIGN : ASCII);
  const body = (bytes: number): string => cut(pick(), random, bytes);
  const line = (): string => {
    const { lines } = pick();
    return lines[random.between(0, lines.length - 1)] ?? '';
  };
  return { body, line, path: () => PATHS[random.between(0, PATHS.length - 1)] ?? '' };
};

type Pool = { readonly text: string; readonly lines: readonly string[]; readonly starts: Int32Array };

const cut = (pool: Pool, random: Random, bytes: number): string => {
  const lastStart = pool.starts.length - 1;
  const first = random.between(0, Math.max(0, lineAt(pool, Math.max(0, pool.text.length - bytes)) - 1));
  const from = pool.starts[first] ?? 0;
  const to = pool.starts[Math.min(lastStart, Math.max(first + 1, lineAt(pool, from + bytes)))] ?? pool.text.length;
  return pool.text.slice(from, to);
};

const lineAt = (pool: Pool, offset: number): number => {
  let low = 0;
  let high = pool.starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((pool.starts[middle] ?? 0) <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
};

const createPool = (length: number, makeLine: () => string): Pool => {
  const lines: string[] = [];
  const starts: number[] = [];
  const parts: string[] = [];
  let at = 0;
  while (at < length) {
    const escaped = JSON.stringify(makeLine()).slice(1, -1);
    lines.push(escaped);
    starts.push(at);
    parts.push(escaped, '\\n');
    at += escaped.length + 2;
  }
  return { text: parts.join(''), lines, starts: Int32Array.from(starts) };
};

const WORDS = [
  'session',
  'record',
  'parent',
  'branch',
  'reader',
  'offset',
  'buffer',
  'render',
  'config',
  'request',
  'handler',
  'token',
  'stream',
  'index',
  'cursor',
  'schema',
  'update',
  'resolve',
  'filter',
  'result',
  'message',
  'entry',
  'thread',
  'module',
  'option',
  'cache',
  'worker',
  'socket',
] as const;

const FOREIGN_LINES = [
  'Prüfe die Größe der Übertragung: “naïve café” – fertig ✓',
  '设置已保存,正在重新加载配置文件并检查所有会话记录。',
  'テストが失敗しました:期待値と実際の値が一致しません。',
  '세션 기록을 다시 읽는 중입니다. 잠시 기다려 주세요.',
  '├── src\t│   └── index.ts → 🚀 deployed',
  'Проверка завершена: ошибок нет, предупреждений 3',
] as const;

const source = createRandom(20_251_115);
// As many as a large project has: an index of a few dozen words would cost nothing.
const VOCABULARY = createVocabulary(source, 30_000, WORDS);

/** Whether the bodies may hold this word: whoever counts words must not count one of these. */
export const isProseWord = (word: string): boolean => VOCABULARY.has(word);
const word = (): string => VOCABULARY.words[VOCABULARY.draw()] ?? '';
const capital = (): string => word().replace(/^./u, (letter) => letter.toUpperCase());

const codeLine = (): string => {
  const indent = source.chance(0.3) ? '\t'.repeat(source.between(1, 3)) : '  '.repeat(source.between(0, 4));
  switch (source.between(0, 8)) {
    case 0:
      return '';
    case 1:
      return `${indent}const ${word()}${capital()} = await ${word()}.${word()}(${word()}, "${word()}-${source.between(1, 999)}");`;
    case 2:
      return `${indent}if (${word()} !== null && ${word()}.${word()} > ${source.between(0, 4096)}) {`;
    case 3:
      return `${indent}}`;
    case 4:
      return `import { ${word()}${capital()}, ${word()} } from './${word()}/${word()}.ts';`;
    case 5:
      return `${indent}// ${capital()} the ${word()} before the ${word()} is read again, or the ${word()} keeps its old ${word()}`;
    case 6:
      return `drwxr-xr-x  ${source.between(1, 40)} dev dev ${source.between(64, 99_999)} Nov 15 02:${source.between(10, 59)} ${word()}_${word()}.json`;
    case 7:
      return `${indent}.replace(/\\s+(${word()})\\b/g, '\\\\$1') ?? "C:\\\\${word()}\\\\${word()}"`;
    default:
      return `The ${word()} ${word()} reads its ${word()} from the ${word()}, so a ${word()} that is "${word()}" never reaches the ${word()}.`;
  }
};

const FOREIGN_SHARE = 0.12;
const ASCII = createPool(4_000_000, codeLine);
const FOREIGN = createPool(400_000, () => (source.chance(0.35) ? source.pick(FOREIGN_LINES) : codeLine()));
const PATHS: readonly string[] = Array.from({ length: 500 }, () => `/home/dev/proj/src/${word()}/${word()}-${word()}.ts`);
