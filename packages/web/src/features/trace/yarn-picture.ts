import { wordOfString } from '@yarnboard/protocol';
import { inShort } from '../../shared/names.ts';
import { MARK_LOOKS } from '../../shared/mark-looks.ts';
import { KIND_LOOKS, nameOfCard, titleOfCard } from './card-words.ts';
import type { PinnedBoard } from './use-pins.ts';
import { YARN_CARD, type Spot } from './yarn-layout.ts';

/** PAGE-237: the board as a self-contained picture: its own colours, the system font, no scripts. */
export const svgOf = ({ board, spots }: PinnedBoard): string => {
  const cards = [...board.cards.values()].flatMap((card) => {
    const spot = spots.get(card.node.ref);
    return spot === undefined ? [] : [{ node: card.node, spot }];
  });
  const { x, y, width, height } = boundsOf(cards.map(({ spot }) => spot));
  const frame = [x - MARGIN, y - MARGIN, width + 2 * MARGIN, height + 2 * MARGIN].map(Math.round);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${frame.join(' ')}" width="${frame[2] ?? 0}" height="${frame[3] ?? 0}" font-family="system-ui, sans-serif" font-size="13">`,
    `<rect x="${frame[0] ?? 0}" y="${frame[1] ?? 0}" width="100%" height="100%" fill="#faf9f7"/>`,
    ...board.strings.flatMap((string) => {
      const [from, to] = [spots.get(string.from), spots.get(string.to)];
      return from === undefined || to === undefined ? [] : lineOf(from, to, wordOfString(string, string.from));
    }),
    ...cards.flatMap(({ node, spot }) => {
      const marks = node.marks.map((mark) => MARK_LOOKS[mark].word);
      const head = [`${KIND_LOOKS[node.kind].name} ${nameOfCard(node)}`, ...marks].join(' · ');
      return [
        `<g transform="translate(${Math.round(spot.x)} ${Math.round(spot.y)})">`,
        `<rect width="${YARN_CARD.width}" height="${YARN_CARD.height}" rx="8" fill="#ffffff" stroke="${node.ref === board.root ? '#0f766e' : '#8b857a'}"/>`,
        textOf(head, 24, '#56514a'),
        ...linesIn(titleOfCard(node)).map((line, n) => textOf(line, 50 + n * 18, '#1f1d1a')),
        '</g>',
      ];
    }),
    '</svg>',
    '',
  ].join('\n');
};

export const boundsOf = (spots: readonly Spot[]): { readonly x: number; readonly y: number; readonly width: number; readonly height: number } => {
  let [left, top, right, bottom] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const { x, y } of spots) {
    [left, top] = [Math.min(left, x), Math.min(top, y)];
    [right, bottom] = [Math.max(right, x + YARN_CARD.width), Math.max(bottom, y + YARN_CARD.height)];
  }
  return spots.length === 0 ? { x: 0, y: 0, ...YARN_CARD } : { x: left, y: top, width: right - left, height: bottom - top };
};

const lineOf = (from: Spot, to: Spot, word: string): readonly string[] => {
  const [x1, y1, x2, y2] = [from.x + YARN_CARD.width / 2, from.y + YARN_CARD.height / 2, to.x + YARN_CARD.width / 2, to.y + YARN_CARD.height / 2].map(
    Math.round,
  );
  return [
    `<line x1="${x1 ?? 0}" y1="${y1 ?? 0}" x2="${x2 ?? 0}" y2="${y2 ?? 0}" stroke="#8b857a"/>`,
    `<text x="${Math.round(((x1 ?? 0) + (x2 ?? 0)) / 2)}" y="${Math.round(((y1 ?? 0) + (y2 ?? 0)) / 2) - 4}" text-anchor="middle" fill="#56514a" font-size="11">${escaped(word)}</text>`,
  ];
};

const textOf = (text: string, y: number, fill: string): string =>
  `<text x="12" y="${y}" fill="${fill}">${escaped(inShort(text, MOST_IN_LINE))}</text>`;

const linesIn = (text: string): readonly string[] => {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + word.length < MOST_IN_LINE) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines.length <= MOST_LINES ? lines : [...lines.slice(0, MOST_LINES - 1), `${lines[MOST_LINES - 1] ?? ''}…`];
};

const escaped = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');

const MARGIN = 24;
const MOST_IN_LINE = 36;
const MOST_LINES = 4;
