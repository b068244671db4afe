import { layOut } from '../../measure/table.ts';

export type Judged = {
  readonly author: string;
  /** What is scored is right, and something is expected at all. */
  readonly isRight: boolean;
  readonly isWanted: boolean;
  readonly score: number;
  readonly text: string;
};

/** Precision and recall by author and bar, each scored by a model that has not seen them. */
export const describeFolds = (judged: readonly Judged[]): void => {
  const authors = [...new Set(judged.map(({ author }) => author))];
  const bars = [0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8, 0.85, 0.9];
  console.log(
    layOut([
      ['author', 'texts', 'order', ...bars.map((bar) => `${bar}`)],
      ...authors.map((author) => {
        const own = judged.filter((one) => one.author === author);
        return [author, String(own.length), orderOf(own).toFixed(3), ...bars.map((bar) => figures(own, bar))];
      }),
      [
        'all labelled',
        '',
        '',
        ...bars.map((bar) =>
          figures(
            judged.filter(({ author }) => author !== 'published' && author !== 'own'),
            bar,
          ),
        ),
      ],
    ]),
  );
  // What these have in common is what the next piece of evidence should tell.
  const most = Number(process.env['WRONG'] ?? 0);
  for (const { author, score, text } of judged
    .filter(({ isRight, author }) => !isRight && author !== 'published' && author !== 'own')
    .toSorted((a, b) => b.score - a.score)
    .slice(0, most))
    console.log(`  WRONG  ${author} ${score.toFixed(2)} ${JSON.stringify(text.slice(0, 400))}`);
};

const figures = (judged: readonly Judged[], bar: number): string => {
  const told = judged.filter(({ score }) => score >= bar);
  const right = told.filter(({ isRight }) => isRight).length;
  const wanted = judged.filter(({ isWanted }) => isWanted).length;
  if (wanted === 0) return String(told.length);
  return `${(right / Math.max(1, told.length)).toFixed(2)}/${(right / wanted).toFixed(2)}`;
};

/** How often a right one is scored above a wrong one. */
const orderOf = (judged: readonly Judged[]): number => {
  let [right, wrong, above] = [0, 0, 0];
  for (const { isRight } of judged.toSorted((a, b) => b.score - a.score))
    if (isRight) right += 1;
    else {
      wrong += 1;
      above += right;
    }
  return above / Math.max(1, right * wrong);
};
